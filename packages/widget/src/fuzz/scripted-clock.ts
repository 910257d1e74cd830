/** A fake clock for a whole page. Time passes when the test says so, hours within milliseconds. */
import { vi } from "vitest";

export interface ScriptedClock {
  now(): number;
  /** Calls back after this many milliseconds. Returns a function that cancels the callback. */
  after(ms: number, callback: () => void): () => void;
  /** Lets this much time pass and runs the callbacks that are due in it. */
  pass(ms: number): Promise<void>;
  /** Restores the real clock. */
  restore(): void;
}

/** Replaces the page's timers. */
export function startScriptedClock(): ScriptedClock {
  const realSetImmediate = globalThis.setImmediate;
  const due = new Map<number, { readonly at: number; readonly callback: () => void }>();
  const begun = Date.UTC(2026, 10, 21, 12);
  let time = begun;
  let ids = 0;
  const set = (callback: () => void, ms = 0) => {
    ids += 1;
    due.set(ids, { at: time + Math.max(ms, 0), callback });
    return ids;
  };
  const clear = (id: unknown) => void due.delete(id as number);
  const first = () => {
    let next: { readonly id: number; readonly at: number } | undefined;
    for (const [id, { at }] of due) if (!next || at < next.at) next = { id, at };
    return next;
  };
  vi.stubGlobal("setTimeout", set);
  vi.stubGlobal("clearTimeout", clear);
  const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    const controller = new AbortController();
    set(() => controller.abort(new DOMException("The operation timed out.", "TimeoutError")), ms);
    return controller.signal;
  });
  return {
    now: () => time,
    after(ms, callback) {
      const id = set(callback, ms);
      return () => clear(id);
    },
    async pass(ms) {
      const end = time + ms;
      const settle = () => new Promise<void>((resolve) => realSetImmediate(resolve));
      await settle();
      for (let next = first(); next && next.at <= end; next = first()) {
        const { callback } = due.get(next.id) as { callback: () => void };
        due.delete(next.id);
        time = Math.max(time, next.at);
        callback();
        await settle();
      }
      time = end;
    },
    restore: () => timeout.mockRestore(),
  };
}
