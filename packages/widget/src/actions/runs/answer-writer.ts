import type { Message, MessageStatus, StreamEvent } from "@nitka/protocol";
import type { Answer } from "@nitka/protocol/apply-event";
import { applyEvent, endAnswer } from "@nitka/protocol/apply-event";
import { beginAnswer } from "@nitka/protocol/begin-answer";
import { partsOf } from "@nitka/protocol/message";
import type { Schedule } from "../../store/create-store.ts";
import type { Appended } from "../../store/state.ts";
import { ANSWER_WRITE_MAX_MS, ANSWER_WRITE_MS } from "../../timings.ts";

/**
 * The most characters of text that a frame may add. An answer that arrives at once is spread over frames, so that none takes
 * too long.
 */
const FRAME_BUDGET = 6000;

/**
 * The delay before the next write, as a multiple of the duration of the last write's frame. On any device text takes about a
 * fifth of the main thread, and the page has the rest.
 */
const REST_FACTOR = 5;

/**
 * The most events that may wait for their frame. Above that the reader has to wait (backpressure). A hidden page has no limit:
 * it may draw once a minute, and a stream that is not read for that long counts as dead.
 */
const QUEUE_LIMIT = 1000;

interface AnswerWriterOptions {
  /** The shown answer. The answer that the events build starts without content. */
  readonly answer: Pick<Message, "id" | "parentId">;
  readonly schedule: Schedule;
  readonly isHidden: () => boolean;
  /** The length of the text that is already shown. A replay is not written before it has reached that length. */
  readonly shownLength: number;
  /** Called with the answer after a frame's events, and with the text that they added if it belongs to one part. */
  readonly onWrite: (answer: Answer, appended: Appended | undefined) => void;
  /** Called with each event that changes more than the answer's parts: a title, an activity, a tool call, late suggestions. */
  readonly onSideEvent: (event: SideEvent) => void;
}

export type SideEvent = Extract<
  StreamEvent,
  {
    readonly type:
      | "data-title"
      | "data-thread-title"
      | "thread-rename"
      | "data-thinking"
      | "data-progress"
      | "data-suggestions"
      | "data-tool-request"
      | "data-tool-approved"
      | "tool-input-available"
      | "tool-approval-request";
  }
>;

/** Folds a run's events into its answer, as many in each frame as the frame has time for. */
export interface AnswerWriter {
  /** @returns `false` if the caller has to await `drained` before it pushes more */
  push(event: StreamEvent): boolean;
  /** Resolves when all pushed events are written, or the writer has stopped. */
  drained(): Promise<void>;
  /** Writes all pushed events at once. If the answer is still running after that, it gets this status. */
  end(status: MessageStatus): Message;
  stop(): void;
  /** The answer's id: the server's, once it is known. */
  readonly messageId: () => string;
}

export function createAnswerWriter(options: AnswerWriterOptions): AnswerWriter {
  const { schedule, isHidden, onWrite, onSideEvent } = options;
  let { shownLength } = options;
  let answer = beginAnswer(options.answer.id, options.answer.parentId);
  let queue: StreamEvent[] = [];
  let scheduled = false;
  let stopped = false;
  let waiting: (() => void)[] = [];
  let writtenAt = Number.NEGATIVE_INFINITY;
  /** The duration of the last write's frame; `undefined` until the next frame has measured it. */
  let writeCost: number | undefined;

  const wake = () => {
    const woken = waiting;
    waiting = [];
    for (const resolve of woken) resolve();
  };
  const write = (budget: number) => {
    const { now, later } = withinBudget(queue, budget);
    queue = later;
    const before = answer;
    let appended: Appended | undefined;
    for (const event of joinDeltas(now)) {
      const grown = applyEvent(answer, event);
      appended = grown === answer ? appended : joinAppended(appended, appendedBy(event, answer, grown));
      answer = grown;
      if (isSideEvent(event)) onSideEvent(event);
    }
    const settled = answer.message.status?.type !== "running";
    if (answer !== before && (settled || shownLength <= 0 || lengthOf(answer) >= shownLength)) {
      onWrite(answer, shownLength > 0 ? undefined : appended);
      shownLength = 0;
    }
    if (queue.length === 0) wake();
  };
  const plan = () => {
    if (scheduled || stopped) return;
    scheduled = true;
    schedule((time, lastFrameMs = 0) => {
      scheduled = false;
      if (stopped) return false;
      writeCost ??= lastFrameMs;
      const isDue = time >= writtenAt + restAfter(writeCost);
      if (isDue) {
        write(isHidden() || shownLength > 0 ? Number.POSITIVE_INFINITY : FRAME_BUDGET);
        if (queue.length === 0) {
          writtenAt = time;
          writeCost = undefined;
        }
      }
      if (queue.length > 0) plan();
      return isDue;
    });
  };
  return {
    push(event) {
      if (!stopped) queue.push(event);
      plan();
      return isHidden() || queue.length < QUEUE_LIMIT;
    },
    drained: () =>
      queue.length === 0 || stopped ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve)),
    end(status) {
      if (!stopped && queue.length > 0) write(Number.POSITIVE_INFINITY);
      return endAnswer(answer, status).message;
    },
    stop() {
      stopped = true;
      wake();
    },
    messageId: () => answer.message.id,
  };
}

function restAfter(writeCost: number): number {
  return Math.max(ANSWER_WRITE_MS, Math.min(REST_FACTOR * writeCost, ANSWER_WRITE_MAX_MS));
}

type DeltaEvent = Extract<StreamEvent, { readonly type: "text-delta" | "reasoning-delta" }>;

function isDelta(event: StreamEvent): event is DeltaEvent {
  return event.type === "text-delta" || event.type === "reasoning-delta";
}

function isSideEvent(event: StreamEvent): event is SideEvent {
  const { type } = event;
  return type !== "data-error" && /^data-|^thread-rename$|^tool-(input-av|ap)/.test(type);
}

/**
 * The events whose text fits into the budget, in characters, and the others. A delta that exceeds it is cut, never within
 * a surrogate pair.
 *
 * @example withinBudget([delta("ab"), delta("cdef")], 4) // { now: [delta("ab"), delta("cd")], later: [delta("ef")] }
 */
function withinBudget(
  queue: readonly StreamEvent[],
  budget: number,
): { readonly now: readonly StreamEvent[]; readonly later: StreamEvent[] } {
  let left = budget;
  for (const [index, event] of queue.entries()) {
    if (!isDelta(event)) continue;
    if (event.delta.length > left) {
      const high = event.delta.charCodeAt(left - 1);
      const cut = high >= 0xd800 && high < 0xdc00 ? left - 1 : left;
      const now = [...queue.slice(0, index), { ...event, delta: event.delta.slice(0, cut) }];
      return { now, later: [{ ...event, delta: event.delta.slice(cut) }, ...queue.slice(index + 1)] };
    }
    left -= event.delta.length;
  }
  return { now: queue, later: [] };
}

/**
 * Joins neighbouring deltas of one block, so that the fold and the view have one change to make.
 *
 * @example joinDeltas([delta("a"), delta("b"), finish]) // [delta("ab"), finish]
 */
function joinDeltas(events: readonly StreamEvent[]): readonly StreamEvent[] {
  const joined: StreamEvent[] = [];
  for (const event of events) {
    const last = joined.at(-1);
    if (last && isDelta(last) && isDelta(event) && last.type === event.type && last.id === event.id) {
      joined[joined.length - 1] = { ...last, delta: last.delta + event.delta };
    } else {
      joined.push(event);
    }
  }
  return joined;
}

/** The text that an event has added, and the part that it belongs to. */
function appendedBy(event: StreamEvent, before: Answer, after: Answer): Appended | undefined {
  if (!isDelta(event)) return undefined;
  const old = partsOf(before.message);
  const parts = partsOf(after.message);
  const partIndex = parts.findLastIndex((part, index) => part !== old[index]);
  const part = parts[partIndex];
  if (part?.type !== "text" && part?.type !== "reasoning") return undefined;
  return { partIndex, from: part.text.length - event.delta.length, text: event.delta };
}

/** Joins two appended texts if the second continues the first; otherwise returns the second. */
function joinAppended(first: Appended | undefined, second: Appended | undefined): Appended | undefined {
  if (!first || !second) return second ?? first;
  const isContinued = first.partIndex === second.partIndex && first.from + first.text.length === second.from;
  return isContinued ? { ...first, text: first.text + second.text } : second;
}

/** The number of characters of text in an answer. */
function lengthOf(answer: Answer): number {
  return textLength(partsOf(answer.message));
}

export function textLength(parts: ReturnType<typeof partsOf>): number {
  return parts.reduce(
    (length, part) => (part.type === "text" || part.type === "reasoning" ? length + part.text.length : length),
    0,
  );
}
