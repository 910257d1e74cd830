/** What names an event to its readers: the run, and the event's number in it. */
export interface EventId {
  readonly runId: string;
  readonly seq: number;
}

/** The largest number that an event can have: databases count in 32 bits. */
export const MAX_SEQ = 2 ** 31 - 1;

export function formatEventId({ runId, seq }: EventId): string {
  return `${runId}:${seq}`;
}

/** `undefined` for a text that is no event's id: browsers send what they last read, whoever wrote it. */
export function parseEventId(text: string): EventId | undefined {
  const [, runId, digits] = /^(.+):(\d{1,10})$/s.exec(text) ?? [];
  const seq = Number(digits);
  return runId === undefined || seq > MAX_SEQ ? undefined : { runId, seq };
}
