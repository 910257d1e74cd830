import type { FoundThread } from "@nitka/protocol";
import { MAX_QUERY_CHARS } from "@nitka/protocol/found-thread";
import { textOf } from "@nitka/protocol/message";
import { ChatError } from "../../chat-error.ts";
import { createEventLoopTurns } from "../../event-loop-turns.ts";
import type { Owner, Storage } from "../../storage/storage.ts";
import { matchIn } from "./match-text.ts";
import { soughtWords, wordsOf } from "./thread-words.ts";

/** The most threads that are found. */
const LIMIT = 50;

export interface SearchService {
  /**
   * The owner's threads that have all words of a query: first those with the most of them in their title, then those with the
   * most in one message, then the newest.
   *
   * @throws ChatError `unprocessable` for a blank query, and one that is too long
   */
  find(owner: Owner, query: string): Promise<readonly FoundThread[]>;
}

/** The words of threads are stored when their visitor searches: most never do, and an answer need not wait for it. */
export function createSearchService({ search }: Pick<Storage, "search">): SearchService {
  const turns = createEventLoopTurns();
  /** Of each visitor who is searching, the end of what was begun last. */
  const reading = new Map<string, Promise<void>>();

  async function readThreads(owner: Owner): Promise<void> {
    for (let next: string | undefined = ""; next !== undefined;) {
      const batch = await search.unread(owner, next);
      const read = [];
      for (const { messages, ...thread } of batch.threads) {
        if (messages.length > 0) await turns.next();
        read.push({ ...thread, words: wordsOf({ ...thread, messages }) });
      }
      if (read.length > 0) await search.keep(owner, read);
      next = batch.next;
    }
  }

  /** Searches of one visitor read one after the other, so that none does what another is doing. */
  async function readInTurn(owner: Owner): Promise<void> {
    const whose = JSON.stringify(owner);
    const before = reading.get(whose) ?? Promise.resolve();
    const turn = before.catch(() => undefined).then(() => readThreads(owner));
    reading.set(whose, turn);
    try {
      await turn;
    } finally {
      if (reading.get(whose) === turn) reading.delete(whose);
    }
  }

  return {
    async find(owner, query) {
      if (query.trim() === "" || Array.from(query).length > MAX_QUERY_CHARS) {
        throw new ChatError("unprocessable", `query has 1 to ${MAX_QUERY_CHARS} characters, and not blanks alone.`);
      }
      const words = soughtWords(query);
      if (words.length === 0) return [];
      await readInTurn(owner);
      const hits = await search.find(owner, words, LIMIT);
      return hits
        .toSorted(
          (one, other) =>
            other.inTitle - one.inTitle ||
            other.together - one.together ||
            (one.thread.updatedAt < other.thread.updatedAt ? 1 : -1),
        )
        .slice(0, LIMIT)
        .map(({ thread, message }) => {
          const match = message && matchIn(textOf(message), words);
          return match === undefined ? thread : Object.assign({ match }, thread);
        });
    },
  };
}
