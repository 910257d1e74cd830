import type { Storage } from "../storage/storage.ts";

/**
 * What asks the database nothing by itself: it starts something and returns its stop, tells what is known, or returns what
 * is read later.
 */
const immediate: ReadonlySet<string | symbol> = new Set(["follow", "subscribe", "flushMs", "text", "export"]);

/** The same storage, whose every call is told with its name, its seconds and whether it failed. */
export function timedStorage(
  storage: Storage,
  told: (call: string, seconds: number, failed: boolean) => void,
): Storage {
  const timedGroup = <Group extends object>(group: Group, name: string): Group =>
    new Proxy(group, {
      get(target, key) {
        const method: unknown = Reflect.get(target, key);
        if (typeof method !== "function" || immediate.has(key)) return method;
        return (...args: unknown[]) => timed(() => Reflect.apply(method, target, args), `${name}.${String(key)}`);
      },
    });

  async function timed(call: () => unknown, name: string): Promise<unknown> {
    const start = performance.now();
    let failed = true;
    try {
      const result = await call();
      failed = false;
      return result;
    } finally {
      told(name, (performance.now() - start) / 1000, failed);
    }
  }

  return {
    threads: timedGroup(storage.threads, "threads"),
    messages: timedGroup(storage.messages, "messages"),
    runs: timedGroup(storage.runs, "runs"),
    events: timedGroup(storage.events, "events"),
    signals: timedGroup(storage.signals, "signals"),
    attachments: timedGroup(storage.attachments, "attachments"),
    visitors: timedGroup(storage.visitors, "visitors"),
    reclaim: () => timed(() => storage.reclaim(), "reclaim") as Promise<void>,
    figures: () => storage.figures(),
    usage: timedGroup(storage.usage, "usage"),
    ping: () => storage.ping(),
    close: () => storage.close(),
  };
}
