import { createHook } from "node:async_hooks";

/** Every timer of this process, whether it keeps the process alive or not. */
export interface TimerWatch {
  /** Where the timers were started that are not over. */
  left(): readonly string[];
  stop(): void;
}

/** Watches the timers that start from now on, but for those of the test runner. */
export function watchTimers(): TimerWatch {
  // An error's stack is made when it is read: most timers end before anyone asks where they have begun.
  const started = new Map<number, Error>();
  const hook = createHook({
    init(id, type) {
      if (type === "Timeout") started.set(id, new Error("A timer was started here"));
    },
    destroy: (id) => void started.delete(id),
    // They are many, and no timers.
    trackPromises: false,
  }).enable();
  return {
    left: () => [...started.values()].map(({ stack = "" }) => stack).filter((stack) => !/[/\\]vitest[/\\]/.test(stack)),
    stop: () => void hook.disable(),
  };
}
