import { ChatError } from "../chat-error.ts";
import { RETRY_AFTER_S } from "./timings.ts";

/** Limits the bytes that all requests and runs of this process hold in memory at one time. */
export interface ByteBudget {
  /** An empty reservation: it grows as bytes arrive. */
  reserve(): ByteReservation;
  /** Bytes that are reserved now. */
  readonly used: number;
  readonly limit: number;
}

export interface ByteReservation {
  /** @throws ChatError `overloaded` when the budget has no room for this many more bytes */
  add(bytes: number): void;
  /** Gives all bytes back. After that `add` and `release` do nothing. */
  release(): void;
}

export function createByteBudget(limit: number): ByteBudget {
  let used = 0;
  return {
    reserve() {
      let reserved = 0;
      let released = false;
      return {
        add(bytes) {
          if (released) return;
          if (used + bytes > limit) {
            throw new ChatError("overloaded", "The server holds as many files as it can. Try again in a few seconds.", {
              retryAfter: RETRY_AFTER_S.bytes,
            });
          }
          used += bytes;
          reserved += bytes;
        },
        release() {
          used -= released ? 0 : reserved;
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
