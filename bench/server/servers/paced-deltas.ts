/** The pace of an answer: its number of deltas, and the interval between them. */
export interface Pace {
  readonly deltas: number;
  readonly everyMs: number;
}

/** The pace in a question's text. Other texts, such as requests for a title, get one delta at once. */
export function readPace(text: string): Pace {
  try {
    return JSON.parse(text) as Pace;
  } catch {
    return { deltas: 1, everyMs: 0 };
  }
}

/** Epoch milliseconds with fractions, comparable between processes of one machine. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

/** The text of a delta contains the time at which it was due, so that a reader knows how late it is. */
export function deltaText(dueAt: number): string {
  return `@${dueAt.toFixed(1)}@ а это сорок букв её`;
}

/** The due times of the deltas in a text. */
export function dueTimesIn(text: string): number[] {
  return Array.from(text.matchAll(/@(\d+\.\d)@/g), ([, due]) => Number(due));
}

/** Calls back for each delta when it is due, in its own phase, and once at the end. A late delta does not delay later ones. */
export function paceDeltas({ deltas, everyMs }: Pace, onDelta: (dueAt: number) => void, onEnd: () => void): () => void {
  const start = now() + Math.random() * everyMs;
  let index = 0;
  let timer = setTimeout(tick, Math.max(0, start - now()));
  function tick() {
    onDelta(start + index * everyMs);
    index += 1;
    if (index === deltas) onEnd();
    else timer = setTimeout(tick, Math.max(0, start + index * everyMs - now()));
  }
  return () => clearTimeout(timer);
}

/** The same, to be awaited one by one, without a generator between the timers and the caller. */
export interface PacedDeltas {
  /** The due time of the next delta; `undefined` at the end. */
  readonly next: () => Promise<number | undefined>;
  readonly stop: () => void;
}

export function pacedDeltas(pace: Pace): PacedDeltas {
  const due: number[] = [];
  let over = false;
  let wake: ((dueAt: number | undefined) => void) | undefined;
  const come = (dueAt: number | undefined) => {
    const waiting = wake;
    wake = undefined;
    if (waiting) waiting(dueAt);
    else if (dueAt !== undefined) due.push(dueAt);
  };
  const end = () => {
    over = true;
    come(undefined);
  };
  const stopPacing = paceDeltas(pace, come, end);
  return {
    next: () =>
      due.length > 0 || over
        ? Promise.resolve(due.shift())
        : new Promise((resolve) => {
            wake = resolve;
          }),
    stop: () => {
      stopPacing();
      end();
    },
  };
}
