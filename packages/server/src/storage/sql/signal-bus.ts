import type { RunSignal } from "../storage.ts";

/** Carries signals to every instance on the database. On one that only a single process uses, it stays in memory. */
export interface SignalBus {
  /** Tells the other instances. What cannot be told is lost: what must arrive is in the tables, and looked for. */
  tell(type: RunSignal["type"], runIds: readonly string[]): Promise<void>;
  /** Calls back with what other instances tell. Returns its stop. */
  listen(listener: BusListener): () => void;
}

export type BusListener = (type: RunSignal["type"], runIds: readonly string[]) => void;

/** The bus of a database that no other instance uses. */
export const silentBus: SignalBus = {
  tell: () => Promise.resolve(),
  listen: () => () => undefined,
};
