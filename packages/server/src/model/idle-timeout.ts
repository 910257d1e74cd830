import type { Clock } from "./clock.ts";

/** The listeners for signs of life, by the signal of the request: that is all that a provider's `fetch` knows of it. */
const listeners = new WeakMap<AbortSignal, () => void>();

/**
 * Calls back for each line that the upstream of a request sends. A comment or a ping is a sign of life, and no part of the
 * stream.
 */
export function onSignOfLife(signal: AbortSignal, listener: () => void): void {
  listeners.set(signal, listener);
}

/** The upstream of the request has sent a line. */
export function noteSignOfLife(signal: AbortSignal): void {
  listeners.get(signal)?.();
}

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
