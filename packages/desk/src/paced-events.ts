import { parseStreamEvent } from "@nitka/protocol/stream-event";

/** The duration of a stream. */
export interface Pace {
  /** Milliseconds until its first text. */
  readonly firstMs: number;
  readonly totalMs: number;
}

/** The JSON of an event, with the wait before it is sent. */
export interface PacedEvent {
  readonly data: string;
  readonly waitMs: number;
}

/** The pace of a fast model, for a stream of unknown pace. */
const FIRST_MS = 300;
const CHARS_PER_SECOND = 150;

/** A longer silence is shortened: nobody wants to wait for a minute while a tool worked. */
const MAX_WAIT_MS = 3_000;

/**
 * The pace of a stream whose events have no times: its duration is distributed over the characters of its texts.
 *
 * @param events the JSON of each event
 * @param pace the duration of the stream. Default: a usual pace
 *
 * @example
 * pacedEvents([start, textDelta("ab"), textDelta("cd"), finish], { firstMs: 100, totalMs: 500 }).map(({ waitMs }) => waitMs)
 * // [0, 100, 400, 0]
 */
export function pacedEvents(events: readonly string[], pace?: Pace): readonly PacedEvent[] {
  const lengths = events.map(charsOf);
  const firstText = lengths.findIndex((chars) => chars > 0);
  const later = lengths.reduce((sum, chars, index) => (index > firstText ? sum + chars : sum), 0);
  const { firstMs, totalMs } = pace ?? { firstMs: FIRST_MS, totalMs: FIRST_MS + (later / CHARS_PER_SECOND) * 1_000 };
  const perChar = later > 0 ? Math.max(0, totalMs - firstMs) / later : 0;
  return events.map((data, index) => {
    const waitMs = index === firstText ? firstMs : index > firstText ? (lengths[index] ?? 0) * perChar : 0;
    return { data, waitMs: Math.min(waitMs, MAX_WAIT_MS) };
  });
}

/** The number of characters of text in an event. */
function charsOf(data: string): number {
  const event = parseStreamEvent(data);
  return event && "delta" in event && typeof event.delta === "string" ? event.delta.length : 0;
}
