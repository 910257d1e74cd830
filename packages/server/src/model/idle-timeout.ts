import type { Clock } from "./clock.ts";

/**
 * The listeners for signs of life, by the signal of the request. The signal is all that a provider's `fetch` knows
 * about the request.
 */
const listeners = new WeakMap<AbortSignal, () => void>();

/**
 * Calls the listener for each line that the upstream of a request sends. A comment or a ping is a sign of life too,
 * although it is not an event of the stream.
 */
export function onSignOfLife(signal: AbortSignal, listener: () => void): void {
  listeners.set(signal, listener);
}

/** To be called when the upstream of the request has sent a line. */
export function noteSignOfLife(signal: AbortSignal): void {
  listeners.get(signal)?.();
}

/** Aborts its signal when an upstream has been silent for too long. */
export interface IdleTimeout {
  readonly signal: AbortSignal;
  /** Restarts the wait, because the upstream has sent something. */
  reset(): void;
  stop(): void;
}

/**
 * Starts waiting. `reset` only stores the time, so a busy stream does not set a timer for each event.
 *
 * @param idleMs milliseconds of silence before the abort; `null` for no limit
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

/** The longest delay of Node's timers: 24.8 days. A longer delay would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
