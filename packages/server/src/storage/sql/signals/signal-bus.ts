import type { RunSignal } from "../../storage.ts";

/** A message between instances about runs. `follow`: the sending instance follows the runs. */
export type BusMessage = RunSignal["type"] | "follow";

/** A notification that can be part of a statement. It is sent when the statement commits. */
export interface Notice {
  readonly channel: string;
  readonly payload: string;
}

/** Sends messages between the instances of a database. */
export interface SignalBus {
  /** The instance that this bus belongs to. */
  readonly instanceId: string;
  /** The notifications that carry a message to an instance. */
  notices(to: string, type: BusMessage, runIds: readonly string[]): readonly Notice[];
  /**
   * Sends a message to one instance, or to all others. A message may be lost: the tables contain everything that must
   * not be.
   */
  send(to: string | typeof ALL, type: BusMessage, runIds: readonly string[]): Promise<void>;
  /** Sends all notifications in one round trip. */
  sendNotices(notices: readonly Notice[]): Promise<void>;
  /** Calls the listener with the messages of other instances. Returns a function that stops listening. */
  listen(listener: BusListener): () => void;
}

export type BusListener = (type: BusMessage, runIds: readonly string[], from: string) => void;

/** The address of all instances, for rare messages. */
export const ALL = Symbol("all instances");

/** The bus of a database with a single instance: it sends nothing. */
export const silentBus: SignalBus = {
  instanceId: "",
  notices: () => [],
  send: () => Promise.resolve(),
  sendNotices: () => Promise.resolve(),
  listen: () => () => undefined,
};
