/** The `id:` of an event in a stream: its run, and its number in the run. */
export interface EventId {
  readonly runId: string;
  /** Counts from 1. */
  readonly seq: number;
}

/** The largest number that an event can have: the databases store it in 32 bits. */
export const MAX_SEQ = 2 ** 31 - 1;

/** @example formatEventId({ runId: "r1", seq: 7 }) // "r1:7" */
export function formatEventId({ runId, seq }: EventId): string {
  return `${runId}:${seq}`;
}

/**
 * @returns `undefined` for a text that is not the id of an event. A browser repeats the last id that it has read, and
 * another server may have sent it.
 *
 * @example parseEventId("r1:7") // { runId: "r1", seq: 7 }
 */
export function parseEventId(text: string): EventId | undefined {
  const [, runId, digits] = /^(.+):(\d{1,10})$/s.exec(text) ?? [];
  const seq = Number(digits);
  return runId === undefined || seq > MAX_SEQ ? undefined : { runId, seq };
}
