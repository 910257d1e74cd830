import { ChatError } from "../../chat-error.ts";
import { RETRY_AFTER_S } from "../timings.ts";

/** Limits the bytes that all requests and runs of this process hold in memory at one time. */
export interface ByteBudget {
  /** Makes an empty reservation, which grows as bytes arrive. */
  reserve(): ByteReservation;
  /** The number of bytes that are currently reserved. */
  readonly used: number;
  readonly limit: number;
}

export interface ByteReservation {
  /** @throws ChatError `overloaded` when the budget has no room for this many more bytes */
  add(bytes: number): void;
  /**
   * The same, but waits for room. Waiting callers get room in the order of their calls.
   *
   * @throws ChatError `overloaded` when there is no room after `ms` milliseconds
   * @throws the signal's reason when the signal is aborted first
   */
  addWhenFree(bytes: number, ms: number, signal: AbortSignal): Promise<void>;
  /** Releases all bytes except for this many. */
  shrinkTo(bytes: number): void;
  /** Releases all bytes. After this, the methods do nothing. */
  release(): void;
}

/** A caller that waits for room. */
interface Waiting {
  readonly bytes: number;
  readonly enter: () => void;
}

export function createByteBudget(limit: number): ByteBudget {
  let used = 0;
  const queue = new Set<Waiting>();

  function free(bytes: number): void {
    used -= bytes;
    for (const next of queue) {
      if (used + next.bytes > limit) return;
      next.enter();
    }
  }

  return {
    reserve() {
      let reserved = 0;
      let released = false;
      const take = (bytes: number) => {
        used += bytes;
        reserved += bytes;
      };
      const shrinkTo = (bytes: number) => {
        const surplus = Math.max(0, reserved - bytes);
        reserved -= surplus;
        free(surplus);
      };
      return {
        add(bytes) {
          if (released) return;
          if (used + bytes > limit) throw full();
          take(bytes);
        },
        async addWhenFree(bytes, ms, signal) {
          if (released) return;
          if (queue.size === 0 && used + bytes <= limit) return take(bytes);
          await new Promise<void>((resolve, reject) => {
            const settle = (outcome: () => void) => {
              clearTimeout(timer);
              queue.delete(waiting);
              signal.removeEventListener("abort", onAbort);
              outcome();
            };
            const onAbort = () => {
              settle(() => reject(signal.reason as Error));
              free(0);
            };
            const timer = setTimeout(() => {
              settle(() => reject(full()));
              // Callers behind it may need less room.
              free(0);
            }, ms);
            const enter = () => {
              if (!released) take(bytes);
              settle(resolve);
            };
            const waiting = { bytes, enter };
            queue.add(waiting);
            signal.addEventListener("abort", onAbort);
            if (signal.aborted) onAbort();
          });
        },
        shrinkTo,
        release() {
          released = true;
          shrinkTo(0);
        },
      };
    },
    get used() {
      return used;
    },
    limit,
  };
}

function full(): ChatError {
  return new ChatError("overloaded", "The server's memory for files is full. Try again in a few seconds.", {
    retryAfter: RETRY_AFTER_S.bytes,
    limit: "maxBufferedBytes",
  });
}
