import { sql } from "kysely";
import type { Message } from "@nitka/protocol";
import { TITLE_MARK } from "../../search.ts";
import type { SearchStorage, SoughtWord, ThreadHit, UnreadThread, ThreadWords } from "../../search.ts";
import { idsIn, idsJson, jsonTable } from "../rows/json-table.ts";
import { lockRows } from "../rows/lock-rows.ts";
import { ownedThreads } from "../rows/owned-thread.ts";
import { storedThreadOfRow, threadOfRow } from "../rows/thread-row.ts";
import type { MessageTable } from "../schema.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";
import { keptTypes } from "./word-index.ts";
import type { Lookup } from "./word-index.ts";
import { createHash } from "node:crypto";
import type { Owner } from "../../stored.ts";

/** The most threads and the most messages of a batch. */
const THREADS = 200;
const MESSAGES = 200;

/** `searched_at` of a thread of which only the first messages are stored. It differs from every time. */
const IN_PART = "";

type ReadMessage = Pick<MessageTable, "thread_id" | "position" | "role" | "content" | "status">;

export function searchRepository(db: Db, dialect: SqlDialect): SearchStorage {
  const { wordIndex } = dialect;

  /** The messages after the given position of each thread, up to `MESSAGES` in total. */
  async function messagesBehind(places: readonly { readonly thread_id: string; readonly position: number }[]) {
    const place = jsonTable(dialect, { thread_id: "text", position: "integer" });
    const { rows } = await sql<ReadMessage>`
      select message.thread_id, message.position, message.role, message.content, message.status
      from ${dialect.jsonRows(place.json(places))} join ${dialect.table("message")} as message
        on message.thread_id = ${place.column("thread_id")} and message.position > ${place.column("position")}
      order by message.thread_id, message.position limit ${MESSAGES}`.execute(db);
    return rows;
  }

  return {
    unread: async (owner, after) => {
      // The expression keeps Postgres from using the index of the ids, which covers the threads of all visitors.
      const id = sql<string>`(thread.thread_id || '')`;
      const rows = await ownedThreads(db, owner)
        .leftJoin("thread_words", "thread_words.thread_id", "thread.thread_id")
        .select(["thread.thread_id", "thread.title", "thread.titled_by", "thread.head_id", "thread.updated_at"])
        .select(["thread.searched_at", "thread_words.position"])
        .select(wordIndex.text.as("words"))
        .where(
          sql<boolean>`(thread.searched_at is distinct from thread.updated_at
            or thread.searched_head is distinct from thread.head_id)`,
        )
        .where(id, ">", after)
        .orderBy(id)
        .limit(THREADS)
        .execute();
      const known = rows.map((row) =>
        Object.assign(row, row.searched_at === null ? { position: 0, words: "" } : { position: row.position ?? 0 }),
      );
      const messages = await messagesBehind(known);
      const isFull = messages.length === MESSAGES;
      const last = isFull ? messages.at(-1)?.thread_id : undefined;
      const byThread = Map.groupBy(messages, ({ thread_id }) => thread_id);
      // Nothing after the last message has been read yet.
      const read = last === undefined ? known : known.slice(0, known.findIndex((row) => row.thread_id === last) + 1);
      const threads = read.map((row) => unreadThread(row, byThread.get(row.thread_id) ?? [], row.thread_id === last));
      const next = last === undefined ? known[THREADS - 1]?.thread_id : (read.at(-2)?.thread_id ?? after);
      return { threads, next };
    },

    keep: async (owner, threads) => {
      const prefix = prefixOf(owner);
      await dialect.relaxed(db, async (transaction) => {
        const ids = idsIn(dialect, idsJson(threads.map(({ threadId }) => threadId)));
        const asked = ownedThreads(transaction, owner)
          .select(["thread_id", "title"])
          .where("thread_id", "in", ids)
          .orderBy("thread_id");
        const titles = new Map((await lockRows(dialect, asked).execute()).map((row) => [row.thread_id, row.title]));
        const kept = threads.filter(({ threadId, title = null }) => titles.get(threadId) === title);
        if (kept.length === 0) return;
        const row = jsonTable(dialect, keptTypes);
        const json = row.json(
          kept.map(({ threadId, updatedAt, headId = null, position, isWhole, words }) => ({
            thread_id: threadId,
            updated_at: updatedAt,
            position,
            searched_at: isWhole ? updatedAt : IN_PART,
            head_id: headId,
            text: storedWords(prefix, words),
          })),
        );
        const [id, rows] = [row.column("thread_id"), dialect.jsonRows(json)];
        const statements = [
          sql`delete from ${dialect.table("thread_words")} where thread_id in (select ${id} from ${rows})`,
          ...wordIndex.insert(row.column, rows),
          sql`update ${dialect.table("thread")}
            set searched_at = ${row.column("searched_at")}, searched_head = ${row.column("head_id")}
            from ${rows} where thread_id = ${id}`,
        ];
        for (const statement of statements) await statement.execute(transaction);
      });
    },

    find: async (owner, words, limit) => {
      const prefix = prefixOf(owner);
      const all = words.map((word) => lookups(prefix, word));
      const anyInTitle = words.flatMap((word) => lookups(prefix + TITLE_MARK, word));
      const newest = (groups: readonly (readonly Lookup[])[]) => sql`select * from (
        select thread_words.thread_id from ${dialect.table("thread_words")} as thread_words
        where ${wordIndex.has(groups)}
        order by thread_words.updated_at desc, thread_words.thread_id desc limit ${limit}) as newest`;
      const found = await db
        .selectFrom("thread")
        .innerJoin("thread_words", "thread_words.thread_id", "thread.thread_id")
        .select(["thread.thread_id", "thread.title", "thread.updated_at"])
        .select(["thread.project_id", "thread.visitor_id", "thread.archived_at"])
        .select(wordIndex.text.as("words"))
        .where("thread.thread_id", "in", sql<string>`(${newest(all)} union ${newest([...all, anyInTitle])})`)
        .execute();
      // The owner is checked here: with this condition in the query, Postgres might read all of the owner's threads to
      // find these few.
      const rows = found.filter(
        ({ project_id, visitor_id, archived_at }) =>
          project_id === owner.projectId && visitor_id === owner.visitorId && archived_at === null,
      );
      const hits = rows.map((row) => Object.assign(standing(row.words ?? "", prefix, words), { row }));
      const contents = await contentsAt(hits.map(({ row, position }) => ({ thread_id: row.thread_id, position })));
      return hits.map(({ row, inTitle, together }): ThreadHit => {
        const content = contents.get(row.thread_id);
        const hit = { thread: threadOfRow(row), inTitle, together };
        if (content === undefined) return hit;
        return Object.assign(hit, { message: { content: JSON.parse(content) as Message["content"] } });
      });
    },
  };

  async function contentsAt(places: readonly { readonly thread_id: string; readonly position: number }[]) {
    const place = jsonTable(dialect, { thread_id: "text", position: "integer" });
    const { rows } = await sql<ReadMessage>`
      select message.thread_id, message.content
      from ${dialect.jsonRows(place.json(places))} join ${dialect.table("message")} as message
        on message.thread_id = ${place.column("thread_id")} and message.position = ${place.column("position")}`.execute(
      db,
    );
    return new Map(rows.map(({ thread_id, content }) => [thread_id, content]));
  }
}

function unreadThread(
  row: Parameters<typeof storedThreadOfRow>[0] & {
    readonly position: number;
    readonly words: string | null;
  },
  messages: readonly ReadMessage[],
  isCut: boolean,
): UnreadThread {
  const running = messages.findIndex(({ status }) => status === "running");
  const settled = running < 0 ? messages : messages.slice(0, running);
  return {
    ...storedThreadOfRow(row),
    words: readStoredWords(row.words ?? ""),
    messages: settled.map(({ role, content, position }) => ({
      role,
      content: JSON.parse(content) as Message["content"],
      position,
    })),
    position: settled.at(-1)?.position ?? row.position,
    isWhole: !isCut && running < 0,
  };
}

function lookups(prefix: string, { word, beginnings }: SoughtWord): readonly Lookup[] {
  return [
    { word: prefix + word, isBeginning: false },
    ...beginnings.map((beginning) => ({ word: prefix + beginning, isBeginning: true })),
  ];
}

/**
 * How many of the words are in the title, the most that one message contains, and the position of that message (0:
 * none).
 */
function standing(text: string, prefix: string, words: readonly SoughtWord[]) {
  const places = (mark: string, { word, beginnings }: SoughtWord) => [
    ...positionsOf(text, `${prefix}${mark}${word}=`),
    ...beginnings.flatMap((beginning) => positionsOf(text, `${prefix}${mark}${beginning}`)),
  ];
  const counts = new Map<number, number>();
  for (const position of words.flatMap((word) => [...new Set(places("", word))]))
    if (position > 0) counts.set(position, (counts.get(position) ?? 0) + 1);
  const [[position, together] = [0, 0]] = [...counts].toSorted(
    ([one, most], [other, more]) => more - most || other - one,
  );
  return { inTitle: words.filter((word) => places(TITLE_MARK, word).length > 0).length, together, position };
}

const PREFIX_CHARS = 8;

/**
 * The prefix of each word of an owner's threads. With it, a lookup of a frequent word reads only the rows of one
 * visitor. Two owners may share a prefix: it is no access control.
 */
function prefixOf({ projectId, visitorId }: Owner): string {
  return createHash("sha256")
    .update(JSON.stringify([projectId, visitorId]))
    .digest("hex")
    .slice(0, PREFIX_CHARS);
}

/**
 * Words and their positions as one text. A word contains neither spaces nor `=`.
 *
 * @example storedWords("0a1b2c3d", new Map([["чай", 2]])) // " 0a1b2c3dчай=2 "
 */
function storedWords(prefix: string, words: ThreadWords): string {
  return ` ${[...words].map(([word, position]) => `${prefix}${word}=${position}`).join(" ")} `;
}

function readStoredWords(text: string): ThreadWords {
  return new Map(
    text
      .trim()
      .split(" ")
      .filter((entry) => entry !== "")
      .map((entry) => {
        const end = entry.lastIndexOf("=");
        return [entry.slice(PREFIX_CHARS, end), Number(entry.slice(end + 1))];
      }),
  );
}

/** The positions of the entries with this beginning. Other entries are not parsed. */
function positionsOf(text: string, beginning: string): readonly number[] {
  const positions: number[] = [];
  for (let at = text.indexOf(` ${beginning}`); at >= 0; at = text.indexOf(` ${beginning}`, at + 1)) {
    const end = text.indexOf(" ", at + 1);
    positions.push(Number(text.slice(text.lastIndexOf("=", end) + 1, end)));
  }
  return positions;
}
