export interface SummaryTimer {
  /** To be called when something was counted: `sumUp` is called at the end of the interval. */
  readonly start: () => void;
  /** Calls `sumUp` a last time. What is counted later, by work that was in progress, is not summed up. */
  readonly stop: () => void;
}

/** Sums up what a log has counted, at the end of each interval in which it has counted anything. */
export function createSummaryTimer(ms: number, sumUp: () => void): SummaryTimer {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  function end(): void {
    clearTimeout(timer);
    timer = undefined;
    sumUp();
  }
  return {
    start() {
      if (!isStopped) timer ??= setTimeout(end, ms).unref();
    },
    stop() {
      isStopped = true;
      end();
    },
  };
}
