/** The storage of one instance in a life. It counts calls, injects a fault, detects overlaps, and dies with its instance. */
import { setTimeout as sleep } from "node:timers/promises";
import { StorageUnavailableError } from "@nitka/server";
import type { Storage } from "@nitka/server";
import { INJECTED } from "./fault.ts";
import type { Fault } from "./fault.ts";

type Parts = ReturnType<Storage["attachments"]["sweep"]>;

export interface ObservedStorage {
  readonly storage: Storage;
  /** Severs the instance: no call reaches the database any more, and no answer or signal comes back. */
  kill(): void;
  /** Resolves when the calls that had reached the database are over. */
  settled(): Promise<void>;
  /** The number of started calls of a method. */
  count(call: string): number;
  /** The calls that have started and are not over. */
  open(): readonly string[];
  /** From now on any call is an error of the server. */
  expectSilence(): void;
}

export interface ObservedStorageOptions {
  readonly storage: Storage;
  readonly instance: string;
  /** The fault of this call, if it is due. */
  readonly faultOf: (call: string) => Pick<Fault, "how" | "ms"> | undefined;
  readonly onDeath: () => void;
  readonly wrong: (text: string) => void;
}

/** These methods subscribe, read memory, or return an iterator. Calling them makes no request. */
const unobserved: ReadonlySet<string> = new Set(["follow", "subscribe", "flushMs", "text", "export"]);

/** These methods work in parts, each of which is a request. */
const inParts: ReadonlySet<string> = new Set(["forget", "expire", "expireArchived", "sweep"]);

/** Work that timers start, one of each kind at a time. `runs.checkpoint` is one per run. */
const alone: ReadonlySet<string> = new Set([
  "runs.heartbeat",
  "runs.interruptStale",
  "runs.forget",
  "events.append",
  "attachments.sweep",
  "attachments.expire",
  "visitors.expire",
  "visitors.expireArchived",
  "reclaim",
]);

/** How long work may continue after `close`: its answer was in flight, or it belongs to a request. */
const UNSETTLED_MS = 300;

export function observeStorage({
  storage,
  instance,
  faultOf,
  onDeath,
  wrong,
}: ObservedStorageOptions): ObservedStorage {
  const counts = new Map<string, number>();
  const inFlight = new Map<string, number>();
  const pending = new Set<Promise<unknown>>();
  let isDead = false;
  let silentFrom = Number.POSITIVE_INFINITY;
  const dead = () => new StorageUnavailableError(`${INJECTED}: this process is dead`);

  const kill = () => {
    isDead = true;
  };

  async function reach(work: () => unknown): Promise<unknown> {
    if (isDead) throw dead();
    const reaching = Promise.resolve(work());
    pending.add(reaching);
    try {
      const result = await reaching;
      if (isDead) throw dead();
      return result;
    } finally {
      pending.delete(reaching);
    }
  }

  async function faulty(call: string, work: () => unknown): Promise<unknown> {
    const fault = isDead ? undefined : faultOf(call);
    if (!fault) return reach(work);
    switch (fault.how) {
      case "refused":
        throw new StorageUnavailableError(`${INJECTED}: ${call} is refused`);
      case "broken":
        throw new Error(`${INJECTED}: ${call} is broken`);
      case "late":
      case "lost":
        await reach(work);
        throw new StorageUnavailableError(`${INJECTED}: the answer of ${call} is lost`);
      case "slow":
        await sleep(fault.ms);
        return reach(work);
      case "hung":
        await sleep(fault.ms);
        throw new StorageUnavailableError(`${INJECTED}: ${call} hangs`);
      case "death":
        // The server may be making a call at this moment. It dies right after it.
        await Promise.resolve();
        onDeath();
        throw dead();
      case "late death":
        await reach(work);
        onDeath();
        throw dead();
      default:
        return fault.how satisfies never;
    }
  }

  async function observed(call: string, args: readonly unknown[], work: () => unknown): Promise<unknown> {
    counts.set(call, (counts.get(call) ?? 0) + 1);
    if (performance.now() > silentFrom && !isDead) wrong(`${instance} calls ${call} after it has closed`);
    const kind = call === "runs.checkpoint" ? `${call} ${String(args[0])}` : call;
    const others = inFlight.get(kind) ?? 0;
    if (others > 0 && !isDead && (alone.has(call) || kind !== call))
      wrong(`${instance} runs ${kind} ${others + 1} times at once`);
    inFlight.set(kind, others + 1);
    try {
      return await faulty(call, work);
    } finally {
      inFlight.set(kind, (inFlight.get(kind) ?? 1) - 1);
    }
  }

  async function* observedParts(call: string, parts: Parts): AsyncGenerator<number> {
    const iterator = parts[Symbol.asyncIterator]();
    for (;;) {
      const part = (await observed(call, [], () => iterator.next())) as IteratorResult<number, undefined>;
      if (part.done) return;
      yield part.value;
    }
  }

  function group<Group extends object>(target: Group, name: string): Group {
    return new Proxy(target, {
      get(object, key) {
        const method: unknown = Reflect.get(object, key);
        if (typeof method !== "function") return method;
        if (key === "subscribe" || key === "follow") {
          return (...args: unknown[]): unknown => {
            const listener = args.pop() as (...heard: unknown[]) => void;
            const heard = (...told: unknown[]) => {
              if (!isDead) listener(...told);
            };
            return Reflect.apply(method, object, [...args, heard]);
          };
        }
        const call = `${name}.${String(key)}`;
        if (inParts.has(String(key))) {
          return (...args: unknown[]) => observedParts(call, Reflect.apply(method, object, args) as Parts);
        }
        if (unobserved.has(String(key))) return (...args: unknown[]): unknown => Reflect.apply(method, object, args);
        return (...args: unknown[]) => observed(call, args, () => Reflect.apply(method, object, args));
      },
    });
  }

  return {
    kill,
    settled: async () => {
      await Promise.allSettled(pending);
    },
    open: () => [...inFlight].flatMap(([kind, count]) => (count > 0 ? [kind] : [])),
    count: (call) => counts.get(call) ?? 0,
    expectSilence: () => {
      silentFrom = performance.now() + UNSETTLED_MS;
    },
    storage: {
      ...storage,
      threads: group(storage.threads, "threads"),
      messages: group(storage.messages, "messages"),
      runs: group(storage.runs, "runs"),
      events: group(storage.events, "events"),
      signals: group(storage.signals, "signals"),
      attachments: group(storage.attachments, "attachments"),
      awaitedCalls: group(storage.awaitedCalls, "awaitedCalls"),
      unanswered: group(storage.unanswered, "unanswered"),
      visitors: group(storage.visitors, "visitors"),
      usage: group(storage.usage, "usage"),
      reclaim: (...args) => observed("reclaim", args, () => storage.reclaim(...args)) as ReturnType<Storage["reclaim"]>,
      ping: () => observed("ping", [], () => storage.ping()) as Promise<void>,
    },
  };
}
