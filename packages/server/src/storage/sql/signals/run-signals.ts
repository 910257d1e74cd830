import type { RunSignal, Storage } from "../../storage.ts";
import { RUNNING } from "../rows/running-runs.ts";
import { createRunLeases } from "./run-leases.ts";
import { ALL } from "./signal-bus.ts";
import type { Notice, SignalBus } from "./signal-bus.ts";
import type { Db } from "../sql-dialect.ts";

/**
 * Sends and receives the signals of runs, on this and other instances. A lost signal does no harm, because the tables
 * contain the same facts.
 */
export interface RunSignals {
  /** Sends a signal to every instance: for rare signals, and when the receiver is not known. */
  sendToAll(type: RunSignal["type"], runIds: readonly string[]): Promise<void>;
  /** Sends a signal to this instance and to the instance that writes the run. */
  sendToWriter(type: RunSignal["type"], runId: string, instanceId: string): Promise<void>;
  /** Sends a signal to this instance and to the instances that follow the runs. */
  sendToFollowers(type: RunSignal["type"], runIds: readonly string[]): Promise<void>;
  /** Sends the instance that writes these runs a lease on them (see `RunLeases`). Resolves to whether it was sent. */
  follow(instanceId: string, runIds: readonly string[]): Promise<boolean>;
  /** The notices that tell followers that the logs of these runs have grown. */
  noticesOfEvents(runIds: readonly string[]): readonly Notice[];
  /** Whether another instance follows the run. */
  isFollowed(runId: string): boolean;
  /** Calls the subscribers on this instance. */
  emit(signal: RunSignal): void;
  /** Returns a function that unsubscribes. */
  subscribe(listener: (signal: RunSignal) => void): () => void;
  stop(): void;
}

/** @param onError called with the errors that a subscriber throws */
export function createRunSignals(bus: SignalBus, onError: (error: unknown) => void): RunSignals {
  const emitter = new Emitter<RunSignal>(onError);
  const leases = createRunLeases();
  const emitAll = (type: RunSignal["type"], runIds: readonly string[]) => {
    for (const runId of runIds) emitter.emit({ type, runId });
  };
  const send = (...message: Parameters<SignalBus["send"]>) => bus.send(...message).catch(() => undefined);

  const noticesOf = (type: RunSignal["type"], runIds: readonly string[]) =>
    [...leases.followersOf(runIds)].flatMap(([instanceId, followed]) => bus.notices(instanceId, type, followed));

  const stop = bus.listen((type, runIds, from) => {
    if (type !== "follow") return emitAll(type, runIds);
    const added = leases.add(from, runIds);
    // The new follower got no notification of earlier appends. This one makes it read them.
    if (added.length > 0) void send(from, "events", added);
  });

  return {
    sendToAll: async (type, runIds) => {
      emitAll(type, runIds);
      await send(ALL, type, runIds);
    },
    sendToWriter: async (type, runId, instanceId) => {
      emitter.emit({ type, runId });
      if (instanceId !== bus.instanceId) await send(instanceId, type, [runId]);
    },
    sendToFollowers: async (type, runIds) => {
      emitAll(type, runIds);
      const notices = noticesOf(type, runIds);
      if (type === "ended") leases.remove(runIds);
      await bus.sendNotices(notices).catch(() => undefined);
    },
    follow: async (instanceId, runIds) => {
      if (instanceId === bus.instanceId) return true;
      return bus.send(instanceId, "follow", runIds).then(
        () => true,
        () => false,
      );
    },
    noticesOfEvents: (runIds) => noticesOf("events", runIds),
    isFollowed: (runId) => leases.isFollowed(runId),
    emit: (signal) => emitter.emit(signal),
    subscribe: (listener) => emitter.subscribe(listener),
    stop,
  };
}

/** `Storage["signals"]`. */
export function signalRepository(db: Db, signals: RunSignals): Storage["signals"] {
  return {
    publish: async ({ type, runId }) => {
      if (type !== "cancel") return signals.sendToAll(type, [runId]);
      // The request is stored too: an instance whose LISTEN connection is down finds it with its next heartbeat.
      const run = await db
        .updateTable("run")
        .set({ cancel_requested: 1 })
        .where("run_id", "=", runId)
        .where("status", "=", RUNNING)
        .returning("instance_id")
        .executeTakeFirst();
      if (run) await signals.sendToWriter("cancel", runId, run.instance_id);
      else signals.emit({ type, runId });
    },

    subscribe: (listener) => signals.subscribe(listener),
  };
}

/** A set of listeners. A listener that throws does not affect the others. */
class Emitter<T> {
  readonly #listeners = new Set<{ readonly call: (value: T) => void }>();
  readonly #onError: (error: unknown) => void;

  /** @param onError called with the errors that a listener throws */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Returns a function that unsubscribes. */
  subscribe(listener: (value: T) => void): () => void {
    // The wrapper makes each subscription distinct, so that a function that subscribed twice can unsubscribe once.
    const entry = { call: listener };
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
    };
  }

  emit(value: T): void {
    for (const listener of this.#listeners) {
      try {
        listener.call(value);
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}
