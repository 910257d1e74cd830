/** One connection that reads a run, and the clock that all of them share. */
import { DONE, encodeSse } from "@nitka/protocol/sse";
import { formatEventId } from "./event-id.ts";
import type { FrameSink } from "./frame-sink.ts";
import type { Timings } from "./timings.ts";

/** Legal and harmless everywhere; it has no number, for it is not of the run. */
const PING = encodeSse('{"type":"data-ping","data":{},"transient":true}');

/** Joins the bytes of each reader for a moment, and fills its silence with pings: two timers for all readers. */
export interface ReaderPace {
  wake(reader: RunReader): void;
  add(reader: RunReader): void;
  remove(reader: RunReader): void;
  /** Cuts every reader off. */
  stop(): void;
}

export function createReaderPace({ pingMs, writeMs }: Pick<Timings, "pingMs" | "writeMs">): ReaderPace {
  const readers = new Set<RunReader>();
  let awake: RunReader[] = [];
  let timer: NodeJS.Timeout | undefined;
  const pings = setInterval(
    () => {
      const now = Date.now();
      for (const reader of readers) reader.pingAfter(pingMs, now);
    },
    Math.min(1_000, Math.max(10, pingMs / 4)),
  );
  pings.unref();
  return {
    wake(reader) {
      awake.push(reader);
      timer ??= setTimeout(() => {
        timer = undefined;
        const due = awake;
        awake = [];
        for (const one of due) one.flush();
      }, writeMs);
    },
    add: (reader) => void readers.add(reader),
    remove: (reader) => void readers.delete(reader),
    stop() {
      clearInterval(pings);
      clearTimeout(timer);
      for (const reader of readers) reader.drop();
    },
  };
}

export class RunReader {
  /** The number of the last event that is on its way. */
  cursor: number;
  closed = false;
  /** The connection is full: nothing more until there is room. */
  full = false;
  readonly #sink: FrameSink;
  readonly #idsOf: string | undefined;
  readonly #pace: ReaderPace;
  #waiting = "";
  #lastWrite = Date.now();
  #onStop: () => void = () => undefined;

  /**
   * @param options.after the number of the last event that the reader has; 0 for none
   * @param options.idsOf the run that the events' `id:` lines name; without it they have none
   */
  constructor(
    sink: FrameSink,
    pace: ReaderPace,
    options: { readonly after: number; readonly idsOf?: string | undefined },
  ) {
    this.#sink = sink;
    this.#pace = pace;
    this.#idsOf = options.idsOf;
    this.cursor = options.after;
    pace.add(this);
    sink.onClose(() => {
      this.closed = true;
      this.#waiting = "";
      pace.remove(this);
      this.#onStop();
    });
  }

  /** An event of the run. One that is on its way already is not sent again. */
  push(seq: number, data: string): void {
    if (this.closed || seq <= this.cursor) return;
    this.cursor = seq;
    const runId = this.#idsOf;
    this.#write(encodeSse(data, runId === undefined ? undefined : formatEventId({ runId, seq })));
  }

  flush(): void {
    if (this.#waiting === "" || this.closed) return;
    const text = this.#waiting;
    this.#waiting = "";
    this.#lastWrite = Date.now();
    if (this.#sink.write(text)) return;
    this.full = true;
    this.#onStop();
  }

  pingAfter(silenceMs: number, now: number): void {
    if (this.full || this.closed || now - this.#lastWrite < silenceMs) return;
    this.#write(PING);
    this.flush();
  }

  /** Resolves when the reader has gone or its connection is full. */
  stopped(): Promise<void> {
    return this.full || this.closed
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#onStop = resolve;
        });
  }

  /** Waits until the connection has room. One that takes nothing for so long is cut off. Returns whether it goes on. */
  async hasRoom(ms: number): Promise<boolean> {
    this.flush();
    if (this.full && !this.closed) {
      const room = await this.#sink.room(ms);
      this.full = false;
      if (!room) this.drop();
    }
    return !this.closed;
  }

  /** The end of the stream, after all its events. */
  end(): void {
    if (this.closed) return;
    this.#write(encodeSse(DONE));
    this.flush();
    this.#pace.remove(this);
    this.closed = true;
    this.#sink.end();
  }

  drop(): void {
    if (this.closed) return;
    this.closed = true;
    this.#pace.remove(this);
    this.#sink.drop();
    this.#onStop();
  }

  #write(text: string): void {
    if (this.#waiting === "") this.#pace.wake(this);
    this.#waiting += text;
  }
}
