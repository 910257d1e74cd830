import type { Clock } from "./clock.ts";

/**
 * The event of a request's signal for each line that its upstream sends. A comment or a ping is a sign of life, and no part of
 * the stream.
 */
export const SIGN_OF_LIFE = "signoflife";

/** Aborts its signal when an upstream has sent nothing for too long. */
export interface IdleTimeout {
  readonly signal: AbortSignal;
  /** Restarts the wait: the upstream has sent something. */
  reset(): void;
  stop(): void;
}

/**
 * Starts to wait. `reset` only notes the time, so a busy stream does not set a timer for each event.
 *
 * @param idleMs milliseconds without anything from the upstream; `null` waits for ever
 */
export function startIdleTimeout(idleMs: number | null, clock: Clock): IdleTimeout {
  const controller = new AbortController();
  let lastResetAt = clock.now();
  let stopTimer = arm(idleMs);
  return {
    signal: controller.signal,
    reset: () => {
      lastResetAt = clock.now();
    },
    stop: () => stopTimer?.(),
  };

  function arm(ms: number | null): (() => void) | undefined {
    if (idleMs === null || ms === null) return undefined;
    return clock.after(Math.min(ms, MAX_TIMER_MS), () => {
      const left = lastResetAt + idleMs - clock.now();
      if (left <= 0) controller.abort();
      else stopTimer = arm(left);
    });
  }
}

/** The longest delay of Node's timers: 24.8 days. A longer one fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
