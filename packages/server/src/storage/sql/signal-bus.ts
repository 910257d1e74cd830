import type { RunSignal } from "../storage.ts";

/** What instances tell each other of runs. `follow`: somebody on the instance that says so reads along. */
export type BusMessage = RunSignal["type"] | "follow";

/** A notification: it can be part of a statement, and is sent when that commits. */
export interface Notice {
  readonly channel: string;
  readonly payload: string;
}

/** Carries messages between the instances on a database. On one that only a single process uses, it carries none. */
export interface SignalBus {
  /** The instance that this bus speaks for. */
  readonly instanceId: string;
  /** The notifications that tell an instance. */
  notices(to: string, type: BusMessage, runIds: readonly string[]): readonly Notice[];
  /** Tells an instance, or `all` others. What cannot be told is lost: what must arrive is in the tables. */
  tell(to: string | typeof ALL, type: BusMessage, runIds: readonly string[]): Promise<void>;
  /** Calls back with what other instances tell. Returns its stop. */
  listen(listener: BusListener): () => void;
}

export type BusListener = (type: BusMessage, runIds: readonly string[], from: string) => void;

/** Every instance: for what is rare. */
export const ALL = Symbol("all instances");

/** The bus of a database that no other instance uses. */
export const silentBus: SignalBus = {
  instanceId: "",
  notices: () => [],
  tell: () => Promise.resolve(),
  listen: () => () => undefined,
};
