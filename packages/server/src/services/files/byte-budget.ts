import { ChatError } from "../../chat-error.ts";
import { RETRY_AFTER_S } from "../timings.ts";

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
  /**
   * The same, but waits for room: those who wait get it in the order in which they came.
   *
   * @throws ChatError `overloaded` when there is none after `ms`
   * @throws the signal's reason when it is aborted before
   */
  addWhenFree(bytes: number, ms: number, signal: AbortSignal): Promise<void>;
  /** Gives all bytes back but this many. */
  shrinkTo(bytes: number): void;
  /** Gives all bytes back. After that no method does anything. */
  release(): void;
}

/** Who waits for room. */
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
              // Those behind may need less.
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
  return new ChatError("overloaded", "The server holds as many files as it can. Try again in a few seconds.", {
    retryAfter: RETRY_AFTER_S.bytes,
    limit: "maxBufferedBytes",
  });
}
