import { parseStreamEvent } from "@nitka/protocol/stream-event";

/** How long a stream took. */
export interface Pace {
  /** Until its first text. */
  readonly firstMs: number;
  readonly totalMs: number;
}

/** The JSON of an event, and how long to wait before it is sent. */
export interface PacedEvent {
  readonly data: string;
  readonly waitMs: number;
}

/** For a stream of unknown pace: what a quick model takes. */
const FIRST_MS = 300;
const CHARS_PER_SECOND = 150;

/** A longer silence is cut: nobody wants to sit through a minute in which a tool worked. */
const MAX_WAIT_MS = 3_000;

/**
 * The pace of a stream whose events have no times: its length is spread over the characters of its texts.
 *
 * @param events the JSON of each event
 * @param pace how long the stream took; a usual pace where that is unknown
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

/** The characters of the text that an event brings. */
function charsOf(data: string): number {
  const event = parseStreamEvent(data);
  return event && "delta" in event && typeof event.delta === "string" ? event.delta.length : 0;
}
