import { createHook } from "node:async_hooks";

/** Tracks every timer of this process, whether it keeps the process alive or not. */
export interface TimerWatch {
  /** The places in the code that started the timers that are not over. */
  left(): readonly string[];
  stop(): void;
}

/** Tracks the timers that start from now on, except those of the test runner. */
export function watchTimers(): TimerWatch {
  // An error's stack is created when it is read, and most timers end before anyone asks for it.
  const started = new Map<number, Error>();
  const hook = createHook({
    init(id, type) {
      if (type === "Timeout") started.set(id, new Error("A timer was started here"));
    },
    destroy: (id) => void started.delete(id),
    // There are many promises, and they are not timers.
    trackPromises: false,
  }).enable();
  return {
    left: () => [...started.values()].map(({ stack = "" }) => stack).filter((stack) => !/[/\\]vitest[/\\]/.test(stack)),
    stop: () => void hook.disable(),
  };
}
