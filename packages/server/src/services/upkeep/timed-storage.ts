import type { Parts, Storage } from "../../storage/storage.ts";

/**
 * Methods that send no request to the database when they are called: they subscribe, return a number from memory, or
 * return an iterator that reads later.
 */
const untimed: ReadonlySet<string | symbol> = new Set(["follow", "subscribe", "flushMs", "text", "export"]);

/** Methods that work in parts. Each part is a request of its own. */
const inParts: ReadonlySet<string | symbol> = new Set(["forget", "expire", "expireArchived", "sweep"]);

/**
 * Wraps a storage. After each request `onRequest` gets the request's name, such as `runs.begin`, its duration, and
 * whether it failed.
 */
export function timedStorage(
  storage: Storage,
  onRequest: (name: string, seconds: number, failed: boolean) => void,
): Storage {
  const timedGroup = <Group extends object>(group: Group, name: string): Group =>
    new Proxy(group, {
      get(target, key) {
        const method: unknown = Reflect.get(target, key);
        if (typeof method !== "function" || untimed.has(key)) return method;
        const full = `${name}.${String(key)}`;
        const call = (args: unknown[]): unknown => Reflect.apply(method, target, args);
        if (inParts.has(key)) return (...args: unknown[]) => timedParts(call(args) as Parts, full);
        return (...args: unknown[]) => timed(() => call(args), full);
      },
    });

  async function* timedParts(parts: Parts, name: string): AsyncGenerator<number> {
    const iterator = parts[Symbol.asyncIterator]();
    for (;;) {
      const part = (await timed(() => iterator.next(), name)) as IteratorResult<number, undefined>;
      if (part.done) return;
      yield part.value;
    }
  }

  async function timed(call: () => unknown, name: string): Promise<unknown> {
    const start = performance.now();
    let failed = true;
    try {
      const result = await call();
      failed = false;
      return result;
    } finally {
      onRequest(name, (performance.now() - start) / 1000, failed);
    }
  }

  return {
    threads: timedGroup(storage.threads, "threads"),
    messages: timedGroup(storage.messages, "messages"),
    search: timedGroup(storage.search, "search"),
    runs: timedGroup(storage.runs, "runs"),
    events: timedGroup(storage.events, "events"),
    signals: timedGroup(storage.signals, "signals"),
    attachments: timedGroup(storage.attachments, "attachments"),
    awaitedCalls: timedGroup(storage.awaitedCalls, "awaitedCalls"),
    unanswered: timedGroup(storage.unanswered, "unanswered"),
    visitors: timedGroup(storage.visitors, "visitors"),
    reclaim: (what) => timed(() => storage.reclaim(what), "reclaim") as Promise<boolean>,
    figures: () => storage.figures(),
    tableBytes: () => storage.tableBytes(),
    usage: timedGroup(storage.usage, "usage"),
    webhooks: timedGroup(storage.webhooks, "webhooks"),
    desk: timedGroup(storage.desk, "desk"),
    ping: () => storage.ping(),
    close: () => storage.close(),
  };
}
