/** One connection that reads a run, and the timers that all these connections share. */
import { DONE, encodeSse } from "@nitka/protocol/sse";
import { formatEventId } from "./event-id.ts";
import type { FrameSink } from "./frame-sink.ts";
import { PING_CHECK_MS } from "../timings.ts";
import type { Timings } from "../timings.ts";
import { shownEvents } from "../tools/tool-views.ts";

/**
 * Clients ignore it: `data-*` events belong to the application. It has no number, because it is not an event of the
 * run.
 */
const PING = encodeSse('{"type":"data-ping","data":{},"transient":true}');

/**
 * Gathers the bytes of each reader for `writeMs`, and sends pings to silent readers. Two timers serve all readers.
 * Writing to many readers in a row takes less processor time than writing each event separately.
 */
export interface ReaderScheduler {
  /** Flushes the reader after `writeMs`. */
  flushSoon(reader: RunReader): void;
  add(reader: RunReader): void;
  remove(reader: RunReader): void;
  /** Stops the timers and cuts off every reader. */
  stop(): void;
}

export function createReaderScheduler({ pingMs, writeMs }: Pick<Timings, "pingMs" | "writeMs">): ReaderScheduler {
  const readers = new Set<RunReader>();
  let due: RunReader[] = [];
  let timer: NodeJS.Timeout | undefined;
  const pings = setInterval(
    () => {
      const now = performance.now();
      for (const reader of readers) reader.pingAfter(pingMs, now);
    },
    Math.min(PING_CHECK_MS, Math.max(10, pingMs / 4)),
  );
  pings.unref();
  return {
    flushSoon(reader) {
      due.push(reader);
      timer ??= setTimeout(() => {
        timer = undefined;
        const flushed = due;
        due = [];
        for (const one of flushed) one.flush();
      }, writeMs);
    },
    add: (reader) => void readers.add(reader),
    remove: (reader) => void readers.delete(reader),
    stop() {
      clearInterval(pings);
      clearTimeout(timer);
      for (const reader of readers) reader.cutOff();
    },
  };
}

/** Writes the events of a run to one connection: each once, and no faster than the connection accepts them. */
export class RunReader {
  /** The number of the last event that was pushed. */
  cursor: number;
  /** `full`: no event may be pushed until there is room. The missed events are then read from the log. */
  #state: "open" | "full" | "closed" = "open";
  readonly #sink: FrameSink;
  readonly #runIdInIds: string | undefined;
  readonly #hidesTools: boolean;
  readonly #scheduler: ReaderScheduler;
  #buffer = "";
  #lastWrite = performance.now();
  /** Whether anything was written. The first bytes are flushed right after the callback that pushes them. */
  #begun = false;
  #onBlocked: () => void = () => undefined;

  /**
   * @param options.after the number of the last event that the reader has; 0 for none
   * @param options.runIdInIds the run id in the events' `id:` lines; without it events have no such line
   * @param options.hidesTools whether the run's project does not show all of its tools' calls
   */
  constructor(
    sink: FrameSink,
    scheduler: ReaderScheduler,
    options: { readonly after: number; readonly runIdInIds?: string | undefined; readonly hidesTools?: boolean },
  ) {
    this.#sink = sink;
    this.#scheduler = scheduler;
    this.#runIdInIds = options.runIdInIds;
    this.#hidesTools = options.hidesTools ?? false;
    this.cursor = options.after;
    scheduler.add(this);
    sink.onClose(() => {
      this.#state = "closed";
      this.#buffer = "";
      scheduler.remove(this);
      this.#onBlocked();
    });
  }

  get closed(): boolean {
    return this.#state === "closed";
  }

  /** Sends an event of the run, unless it was pushed before. */
  push(seq: number, data: string): void {
    if (this.closed || seq <= this.cursor) return;
    this.cursor = seq;
    const runId = this.#runIdInIds;
    const id = runId === undefined ? undefined : formatEventId({ runId, seq });
    if (!this.#hidesTools) return this.#write(encodeSse(data, id));
    const shown = shownEvents(data);
    // Only the last one has the id: a reader that has lost the others gets all of them again.
    for (const [index, one] of shown.entries())
      this.#write(encodeSse(one, index === shown.length - 1 ? id : undefined));
  }

  flush(): void {
    if (this.#buffer === "" || this.closed) return;
    const text = this.#buffer;
    this.#buffer = "";
    this.#lastWrite = performance.now();
    if (this.#sink.write(text) || this.closed) return;
    this.#state = "full";
    this.#onBlocked();
  }

  /** @param now a time of `performance.now()` */
  pingAfter(silenceMs: number, now: number): void {
    if (this.#state !== "open" || now - this.#lastWrite < silenceMs) return;
    this.#write(PING);
    this.flush();
  }

  /** Resolves when the connection is full or closed. */
  whenBlocked(): Promise<void> {
    return this.#state !== "open"
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#onBlocked = resolve;
        });
  }

  /**
   * Waits until the connection has room. A connection without room for `slowReaderMs` is cut off, so that the server
   * does not buffer without bound. Its reader rejoins after the last event that it got.
   *
   * @returns whether the reader is still connected
   */
  async waitForRoom(slowReaderMs: number): Promise<boolean> {
    this.flush();
    if (this.#state === "full") {
      const hasRoom = await this.#sink.waitForRoom(slowReaderMs);
      if (!hasRoom) this.cutOff();
      else if (!this.closed) this.#state = "open";
    }
    return !this.closed;
  }

  /** Ends the stream after all its events. */
  end(): void {
    if (this.closed) return;
    this.#write(encodeSse(DONE));
    this.flush();
    this.#scheduler.remove(this);
    this.#state = "closed";
    this.#sink.end();
  }

  /** Breaks the connection, so that the reader rejoins. */
  cutOff(): void {
    if (this.closed) return;
    this.#state = "closed";
    this.#scheduler.remove(this);
    this.#sink.cutOff();
    this.#onBlocked();
  }

  #write(text: string): void {
    if (this.#begun) {
      if (this.#buffer === "") this.#scheduler.flushSoon(this);
    } else {
      this.#begun = true;
      process.nextTick(() => this.flush());
    }
    this.#buffer += text;
  }
}
