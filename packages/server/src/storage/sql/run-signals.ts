import type { RunSignal } from "../storage.ts";
import { Emitter } from "./emitter.ts";
import { createRunLeases } from "./run-leases.ts";
import { ALL } from "./signal-bus.ts";
import type { Notice, SignalBus } from "./signal-bus.ts";

/** The signals of runs, here and on other instances. Who misses one finds the same in the tables. */
export interface RunSignals {
  /** Tells every instance. For what is rare, or where it is not known who must hear of it. */
  tell(type: RunSignal["type"], runIds: readonly string[]): Promise<void>;
  /** Tells this instance and the one that pumps the run. */
  tellOwner(type: RunSignal["type"], runId: string, instanceId: string): Promise<void>;
  /** Tells this instance and those that follow its runs. */
  tellFollowers(type: RunSignal["type"], runIds: readonly string[]): Promise<void>;
  /** Tells the instance that pumps them that somebody here follows these runs. It forgets so after 15 s. */
  follow(instanceId: string, runIds: readonly string[]): void;
  /** The notifications that tell those who follow the runs that their logs have grown. */
  noticesOfEvents(runIds: readonly string[]): readonly Notice[];
  /** Whether another instance follows the run. */
  isFollowed(runId: string): boolean;
  /** Tells this instance alone. */
  emit(signal: RunSignal): void;
  /** Returns its stop. */
  subscribe(listener: (signal: RunSignal) => void): () => void;
  stop(): void;
}

export function createRunSignals(bus: SignalBus): RunSignals {
  const emitter = new Emitter<RunSignal>();
  const leases = createRunLeases();
  const emitAll = (type: RunSignal["type"], runIds: readonly string[]) => {
    for (const runId of runIds) emitter.emit({ type, runId });
  };
  const send = (...message: Parameters<SignalBus["tell"]>) => bus.tell(...message).catch(() => undefined);

  const stop = bus.listen((type, runIds, from) => {
    if (type !== "follow") return emitAll(type, runIds);
    const added = leases.add(from, runIds);
    // What was appended before is not told of any more: the follower looks once again.
    if (added.length > 0) void send(from, "events", added);
  });

  return {
    tell: async (type, runIds) => {
      emitAll(type, runIds);
      await send(ALL, type, runIds);
    },
    tellOwner: async (type, runId, instanceId) => {
      emitter.emit({ type, runId });
      if (instanceId !== bus.instanceId) await send(instanceId, type, [runId]);
    },
    tellFollowers: async (type, runIds) => {
      emitAll(type, runIds);
      const followers = leases.followersOf(runIds);
      if (type === "ended") leases.drop(runIds);
      await Promise.all([...followers].map(([instanceId, followed]) => send(instanceId, type, followed)));
    },
    follow: (instanceId, runIds) => {
      if (instanceId !== bus.instanceId) void send(instanceId, "follow", runIds);
    },
    noticesOfEvents: (runIds) =>
      [...leases.followersOf(runIds)].flatMap(([instanceId, followed]) => bus.notices(instanceId, "events", followed)),
    isFollowed: (runId) => leases.isFollowed(runId),
    emit: (signal) => emitter.emit(signal),
    subscribe: (listener) => emitter.subscribe(listener),
    stop,
  };
}
