import type { Clock } from "./clock.ts";

/** Tells when an upstream has been silent for too long. */
export interface SilenceWatch {
  /** Aborted then. */
  readonly signal: AbortSignal;
  /** Something came. */
  heard(): void;
  stop(): void;
}

/** No timer of Node's waits for longer: it goes off at once instead. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Watches for silence from now on. A busy stream costs a look at the clock for each event and no timer.
 *
 * @param idleMs how long is too long; `null` waits for ever
 */
export function watchSilence(idleMs: number | null, clock: Clock): SilenceWatch {
  const controller = new AbortController();
  let heardAt = clock.now();
  let stopTimer = arm(idleMs);
  return {
    signal: controller.signal,
    heard: () => {
      heardAt = clock.now();
    },
    stop: () => stopTimer?.(),
  };

  function arm(ms: number | null): (() => void) | undefined {
    if (idleMs === null || ms === null) return undefined;
    return clock.after(Math.min(ms, LONGEST_MS), () => {
      const left = heardAt + idleMs - clock.now();
      if (left <= 0) controller.abort();
      else stopTimer = arm(left);
    });
  }
}
