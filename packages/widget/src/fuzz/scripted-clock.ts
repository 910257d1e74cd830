/** Time that passes only when it is told to, for a whole page: hours of it in milliseconds. */
import { vi } from "vitest";

export interface ScriptedClock {
  now(): number;
  /** Calls back after so many milliseconds. Returns its own stop. */
  after(ms: number, callback: () => void): () => void;
  /** Lets so much time pass, and everything happen that is due in it. */
  pass(ms: number): Promise<void>;
  /** Gives the page its own clock back. */
  restore(): void;
}

/** Takes the place of the page's timers. */
export function startScriptedClock(): ScriptedClock {
  const breathe = globalThis.setImmediate;
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
      const settle = () => new Promise<void>((resolve) => breathe(resolve));
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
