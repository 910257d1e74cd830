import type { FoundThread } from "@nitka/protocol";
import { MAX_QUERY_CHARS } from "@nitka/protocol/found-thread";
import { textOf } from "@nitka/protocol/message";
import { unprocessable } from "../../chat-error.ts";
import { createEventLoopTurns } from "../../event-loop-turns.ts";
import type { Owner, Storage } from "../../storage/storage.ts";
import { matchIn } from "./match-text.ts";
import { collectWords, soughtWords } from "./thread-words.ts";

/** The most threads that a search returns. */
const LIMIT = 50;

/**
 * The most characters of messages to read in one turn of the event loop, which takes some milliseconds. A longer
 * message is read as a whole.
 */
const CHARS_AT_ONCE = 10_000;

/** The number of threads whose words are stored at once. On SQLite this blocks everything else. */
const KEPT_AT_ONCE = 20;

export interface SearchService {
  /**
   * The owner's threads that contain all words of a query: those with the most words in the title come first, then
   * those with the most in one message, then the newest.
   *
   * @throws ChatError `unprocessable` for a query that is blank or too long
   */
  find(owner: Owner, query: string): Promise<readonly FoundThread[]>;
}

/**
 * Makes the search. The words of threads are stored when their visitor searches: most visitors never do, and an answer
 * need not wait for it.
 */
export function createSearchService({ search }: Pick<Storage, "search">): SearchService {
  const turns = createEventLoopTurns();
  /** For each visitor who is searching: resolves when their latest search has read the threads. */
  const reading = new Map<string, Promise<void>>();

  /**
   * Makes a function that counts characters. It returns `undefined` until they reach `CHARS_AT_ONCE`, and then a promise
   * of the next turn.
   */
  function createPace(): (chars: number) => Promise<void> | undefined {
    let left = 0;
    return (chars) => {
      left -= chars;
      if (left > 0) return undefined;
      left = CHARS_AT_ONCE;
      return turns.next();
    };
  }

  async function readThreads(owner: Owner): Promise<void> {
    const pace = createPace();
    for (let next: string | undefined = ""; next !== undefined;) {
      const batch = await search.unread(owner, next);
      let read: Parameters<typeof search.keep>[1][number][] = [];
      for (const { messages, ...thread } of batch.threads) {
        const collected = collectWords(thread);
        for (const message of messages) {
          await pace(textOf(message).length);
          collected.add(message);
        }
        read.push({ ...thread, words: collected.words });
        if (read.length < KEPT_AT_ONCE) continue;
        await search.keep(owner, read);
        await turns.next();
        read = [];
      }
      if (read.length > 0) await search.keep(owner, read);
      next = batch.next;
    }
  }

  /** Searches of one visitor read one after the other, so that none repeats the work of another. */
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
        throw unprocessable(`query has 1 to ${MAX_QUERY_CHARS} characters, and not blanks alone.`);
      }
      const words = soughtWords(query);
      if (words.length === 0) return [];
      await readInTurn(owner);
      const hits = await search.find(owner, words, LIMIT);
      const best = hits
        .toSorted(
          (one, other) =>
            other.inTitle - one.inTitle ||
            other.together - one.together ||
            (one.thread.updatedAt < other.thread.updatedAt ? 1 : -1),
        )
        .slice(0, LIMIT);
      const pace = createPace();
      const found: FoundThread[] = [];
      for (const { thread, message } of best) {
        const text = message && textOf(message);
        await pace(text?.length ?? 0);
        const match = text && matchIn(text, words);
        found.push(match ? { match, ...thread } : thread);
      }
      return found;
    },
  };
}
