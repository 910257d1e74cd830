import type { StreamEvent } from "@nitka/protocol";
import type { Answer } from "@nitka/protocol/apply-event";
import { applyEvent } from "@nitka/protocol/apply-event";
import { partsOf } from "@nitka/protocol/message";
import type { Schedule } from "../store/create-store.ts";
import type { Appended } from "../store/state.ts";
import { ANSWER_WRITE_MS } from "../timings.ts";

/**
 * How much text a frame may add, in characters: a burst of a whole answer is spread over frames, so that none has more to
 * parse and lay out than it has time for.
 */
const FRAME_BUDGET = 6000;

/**
 * How many events may wait for their frame: to read all of a long answer at once would take one task too long. A page that
 * nobody sees may draw once a minute: there nothing waits, lest the line be taken for dead.
 */
const QUEUE_LIMIT = 1000;

interface AnswerWriterOptions {
  readonly answer: Answer;
  readonly schedule: Schedule;
  readonly isHidden: () => boolean;
  /** Length of the text that is shown already: nothing is written before the answer has caught up with it. */
  readonly shownLength: number;
  /** The answer after a frame's events, and the text that they added if they added it to one part. */
  readonly onWrite: (answer: Answer, appended: Appended | undefined) => void;
  /** Each event that says something about the thread rather than the answer, and each whole call of a tool. */
  readonly onTold: (event: ToldEvent) => void;
}

type ToldEvent = Extract<
  StreamEvent,
  {
    readonly type:
      | "data-title"
      | "data-thread-title"
      | "thread-rename"
      | "data-thinking"
      | "data-progress"
      | "tool-input-available";
  }
>;

/** Folds a run's events into its answer, a frame's worth at a time. */
export interface AnswerWriter {
  /** @returns `false` when so much waits to be written that more had better wait until it is drained */
  push(event: StreamEvent): boolean;
  /** Resolves when everything pushed so far is written, or the writer has stopped. */
  drained(): Promise<void>;
  /** Writes everything pushed so far, now. */
  flush(): void;
  stop(): void;
  readonly answer: () => Answer;
}

export function createAnswerWriter(options: AnswerWriterOptions): AnswerWriter {
  const { schedule, isHidden, onWrite, onTold } = options;
  let { answer, shownLength } = options;
  let queue: StreamEvent[] = [];
  let scheduled = false;
  let stopped = false;
  let waiting: (() => void)[] = [];
  let restUntil = 0;

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
      appended = grown === answer ? appended : follow(appended, growthOf(answer, grown, event));
      answer = grown;
      if (isTold(event)) onTold(event);
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
    schedule((time) => {
      scheduled = false;
      if (stopped) return;
      if (time >= restUntil) {
        write(isHidden() || shownLength > 0 ? Number.POSITIVE_INFINITY : FRAME_BUDGET);
        if (queue.length === 0) restUntil = time + ANSWER_WRITE_MS;
      }
      if (queue.length > 0) plan();
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
    flush() {
      if (!stopped && queue.length > 0) write(Number.POSITIVE_INFINITY);
    },
    stop() {
      stopped = true;
      wake();
    },
    answer: () => answer,
  };
}

type DeltaEvent = Extract<StreamEvent, { readonly type: "text-delta" | "reasoning-delta" }>;

function isDelta(event: StreamEvent): event is DeltaEvent {
  return event.type === "text-delta" || event.type === "reasoning-delta";
}

function isTold(event: StreamEvent): event is ToldEvent {
  const { type } = event;
  return type !== "data-error" && /^data-|^thread-rename$|^tool-input-available$/.test(type);
}

/** As many events as fit into the budget. A delta that is too long by itself is cut, never between a pair of surrogates. */
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

/** Deltas of one block that follow one another become one: the fold, and the view, then have one thing to do. */
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

/** The text that an event added, and where. */
function growthOf(before: Answer, after: Answer, event: StreamEvent): Appended | undefined {
  if (!isDelta(event)) return undefined;
  const old = partsOf(before.message);
  const parts = partsOf(after.message);
  const partIndex = parts.findLastIndex((part, index) => part !== old[index]);
  const part = parts[partIndex];
  if (part?.type !== "text" && part?.type !== "reasoning") return undefined;
  return { partIndex, from: part.text.length - event.delta.length, text: event.delta };
}

function follow(first: Appended | undefined, second: Appended | undefined): Appended | undefined {
  if (!first || !second) return second ?? first;
  const continues = first.partIndex === second.partIndex && first.from + first.text.length === second.from;
  return continues ? { ...first, text: first.text + second.text } : second;
}

/** Characters of text in an answer: how far it has come. */
function lengthOf(answer: Answer): number {
  return textLength(partsOf(answer.message));
}

export function textLength(parts: ReturnType<typeof partsOf>): number {
  return parts.reduce(
    (length, part) => (part.type === "text" || part.type === "reasoning" ? length + part.text.length : length),
    0,
  );
}
