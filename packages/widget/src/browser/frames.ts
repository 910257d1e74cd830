import type { Stoppable } from "./stoppable.ts";
import { MISSING_FRAME_MS } from "../timings.ts";

export interface Frames extends Stoppable {
  /** Calls back once, with the next frame and its time: milliseconds since the page began. Never once stopped. */
  schedule(callback: (time: number) => void): void;
}

/** Callbacks of one frame run together, in the order in which they came. */
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
