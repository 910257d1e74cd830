import { ChatError } from "../chat-error.ts";

/** The bytes that all requests and runs of this process may hold in memory at one time. */
export interface ByteBudget {
  /** Nothing yet: what is held grows as the bytes come. */
  hold(): HeldBytes;
  /** Bytes that are held now. */
  readonly used: number;
  readonly limit: number;
}

export interface HeldBytes {
  /** @throws ChatError `overloaded` when there is no room for so many more */
  add(bytes: number): void;
  /** Gives everything back. Nothing can be added after that; a second call does nothing. */
  release(): void;
}

/** Seconds until it is worth trying again: most bodies and answers are over by then. */
const RETRY_AFTER = 5;

export function createByteBudget(limit: number): ByteBudget {
  let used = 0;
  return {
    hold() {
      let held = 0;
      let released = false;
      return {
        add(bytes) {
          if (released) return;
          if (used + bytes > limit) {
            throw new ChatError("overloaded", "The server holds as many files as it can. Try again in a few seconds.", {
              retryAfter: RETRY_AFTER,
            });
          }
          used += bytes;
          held += bytes;
        },
        release() {
          used -= released ? 0 : held;
          released = true;
        },
      };
    },
    get used() {
      return used;
    },
    limit,
  };
}
