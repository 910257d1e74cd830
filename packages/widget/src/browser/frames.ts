import type { Stoppable } from "./stoppable.ts";
import { MISSING_FRAME_MS } from "../timings.ts";

export interface Frames extends Stoppable {
  /**
   * Calls back in the next frame; never once stopped. `time` is the frame's, in milliseconds since the page began, as
   * `performance.now()`.
   */
  schedule(callback: (time: number) => void): void;
}

/** Schedules work for the next frame. The callbacks of one frame run in the order in which they were scheduled. */
export function createFrames(): Frames {
  let callbacks: ((time: number) => void)[] = [];
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  const run = (time: number) => {
    cancel();
    const due = callbacks;
    callbacks = [];
    for (const callback of due) callback(time);
  };
  const cancel = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    schedule(callback) {
      if (isStopped) return;
      callbacks.push(callback);
      if (timer !== undefined) return;
      frame = requestAnimationFrame(run);
      timer = setTimeout(() => run(performance.now()), MISSING_FRAME_MS);
    },
    stop() {
      isStopped = true;
      cancel();
      callbacks = [];
    },
  };
}
