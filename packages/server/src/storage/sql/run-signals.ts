import type { RunSignal } from "../storage.ts";
import { Emitter } from "./emitter.ts";
import type { SignalBus } from "./signal-bus.ts";

/** The signals of all instances, this one's own among them. */
export interface RunSignals {
  /** Tells every instance. Never rejects: who misses it finds the same in the tables. */
  tell(type: RunSignal["type"], runIds: readonly string[]): Promise<void>;
  /** Tells the other instances alone. */
  tellOthers(type: RunSignal["type"], runIds: readonly string[]): Promise<void>;
  /** Tells this instance alone. */
  emit(signal: RunSignal): void;
  /** Returns its stop. */
  subscribe(listener: (signal: RunSignal) => void): () => void;
  stop(): void;
}

export function createRunSignals(bus: SignalBus): RunSignals {
  const emitter = new Emitter<RunSignal>();
  const emitAll = (type: RunSignal["type"], runIds: readonly string[]) => {
    for (const runId of runIds) emitter.emit({ type, runId });
  };
  const stop = bus.listen(emitAll);
  const tellOthers = (type: RunSignal["type"], runIds: readonly string[]) =>
    bus.tell(type, runIds).catch(() => undefined);
  return {
    tell: async (type, runIds) => {
      emitAll(type, runIds);
      await tellOthers(type, runIds);
    },
    tellOthers,
    emit: (signal) => emitter.emit(signal),
    subscribe: (listener) => emitter.subscribe(listener),
    stop,
  };
}
