import type { Stoppable } from "./timers.ts";
import { MISSING_FRAME_MS } from "../timings.ts";

export interface Frames extends Stoppable {
  /**
   * Calls back in the next frame, unless `stop` is called before.
   *
   * `time` is the frame's, on the clock of `performance.now()`. `lastFrameMs` is the duration of the last frame with callbacks,
   * including its style, layout and paint; 0 before the first. A callback that did nothing returns `false`: a frame with only
   * such callbacks is not measured.
   */
  readonly schedule: (callback: (time: number, lastFrameMs: number) => unknown) => void;
}

/** Schedules work for the next frame. The callbacks of a frame run in the order of their scheduling. */
export function createFrames(): Frames {
  let callbacks: ((time: number, lastFrameMs: number) => unknown)[] = [];
  let frame = 0;
  let frameStart = 0;
  let lastFrameMs = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  // The browser renders in the task that runs the callbacks, so a message that is sent there arrives after the rendering.
  const frameEnd = new MessageChannel();
  frameEnd.port1.addEventListener("message", () => (lastFrameMs = performance.now() - frameStart));
  frameEnd.port1.start();

  const run = (time: number) => {
    cancel();
    const due = callbacks;
    callbacks = [];
    frameStart = performance.now();
    let isBusy = false;
    for (const callback of due) {
      try {
        if (callback(time, lastFrameMs) !== false) isBusy = true;
      } catch (error) {
        // The other callbacks still run: without its callback an answer would stop updating.
        reportError(error);
      }
    }
    if (isBusy) frameEnd.port2.postMessage(undefined);
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
      frameEnd.port1.close();
      callbacks = [];
    },
  };
}
