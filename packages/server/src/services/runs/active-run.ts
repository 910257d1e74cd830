import { setTimeout as sleep } from "node:timers/promises";
import type { FailureCode, Message, MessageStatus, StreamEvent } from "@nitka/protocol";
import { endAnswer } from "@nitka/protocol/apply-event";
import { beginAnswer } from "@nitka/protocol/begin-answer";
import { OpenBlocks } from "@nitka/protocol/open-blocks";
import { serializeEvent } from "@nitka/protocol/serialize-event";
import { StorageUnavailableError } from "../../storage/storage.ts";
import type { LoggedEvent, NewRun, Owner, Storage } from "../../storage/storage.ts";
import type { EventLogWriter } from "./event-log-writer.ts";
import { GrowingAnswer } from "./growing-answer.ts";
import type { RunReader } from "./run-reader.ts";
import { SignsOfLife } from "./signs-of-life.ts";
import type { ServerTool } from "../../model/run-visitor.ts";
import { withOrigin } from "../../tool-origin.ts";
import type { ToolOrigin } from "../../tool-origin.ts";
import { callView, withView } from "../tools/tool-views.ts";
import type { ToolViews } from "../tools/tool-views.ts";
import { CATCH_UP_RETRY_MS } from "../timings.ts";

/** Why a run ends before its model has. */
export type StopReason =
  | { readonly type: "cancelled" }
  /** This server closes. */
  | { readonly type: "interrupted" }
  /** Another instance took this one for dead and has ended the run, or its thread is gone. */
  | { readonly type: "lost" }
  | { readonly type: "failed"; readonly code: FailureCode; readonly text: string; readonly cause?: unknown };

/**
 * - `running`: the model writes.
 * - `ending`: the end is being stored, and nothing can stop the run any more.
 * - `closed`: the end is stored, and all events were sent.
 * - `abandoned`: an error of the server has left it without an end.
 */
type Phase = "running" | "ending" | "closed" | "abandoned";

/** A run that this process writes: its answer so far, its events, its readers. It knows no model and no connection. */
export class ActiveRun {
  readonly record: NewRun;
  readonly owner: Owner;
  /** Resolves when the run is to stop. */
  readonly stopped: Promise<StopReason>;
  /** For the limit of silence. */
  readonly signs = new SignsOfLife();
  /** A time of `performance.now()`, for the metrics. */
  firstTokenAt: number | undefined;
  /** How often a reader joined it while it was written. */
  rejoins = 0;
  #phase: Phase = "running";
  #seq = 0;
  readonly #answer: GrowingAnswer;
  readonly #blocks = new OpenBlocks();
  /**
   * Events that are not in the event log: those of the end, which repeat the stored answer, and what comes later.
   * Readers that are behind get them from here.
   */
  readonly #unlogged: LoggedEvent[] = [];
  readonly #ended = Promise.withResolvers<void>();
  #isStored = false;
  /** Resolves when no event follows. */
  readonly #over = Promise.withResolvers<void>();
  readonly #controller = new AbortController();
  readonly #leaving = new AbortController();
  readonly #stop = Promise.withResolvers<StopReason>();
  readonly #readers = new Set<RunReader>();
  readonly #eventLog: EventLogWriter;
  readonly #toolViews: ToolViews | undefined;
  /** Where the tools of its model come from, by name; `undefined` until the model says so. */
  #origins: ReadonlyMap<string, ToolOrigin> | undefined;

  /** @param toolViews how much of its tools' calls its readers get; `undefined` for all of them */
  constructor(record: NewRun, owner: Owner, eventLog: EventLogWriter, toolViews?: ToolViews) {
    this.record = record;
    this.#toolViews = toolViews;
    this.owner = owner;
    this.stopped = this.#stop.promise;
    this.#eventLog = eventLog;
    this.#answer = new GrowingAnswer(beginAnswer(record.answerId, record.questionId));
  }

  get runId(): string {
    return this.record.runId;
  }

  get threadId(): string {
    return this.record.threadId;
  }

  /** Aborted when the run is to stop, and at its end. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Aborted when the visitor has gone on from the answer. */
  get left(): AbortSignal {
    return this.#leaving.signal;
  }

  /** Resolves when the run's end is stored. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Whether its end is stored. What follows it, a late title and suggestions, needs no place among the runs. */
  get isStored(): boolean {
    return this.#isStored;
  }

  /** Whether its first event was appended: it is stored then. */
  get hasBegun(): boolean {
    return this.#seq > 0;
  }

  get isEnding(): boolean {
    return this.#phase !== "running";
  }

  /** The answer so far. */
  get answer(): Message {
    return this.#answer.folded.message;
  }

  /** The number of the last event. */
  get seq(): number {
    return this.#seq;
  }

  /** To be called with the tools that the model has, before their calls. */
  openTools(tools: readonly ServerTool[]): void {
    this.#origins = new Map(tools.map(({ name, mcp = null }) => [name, mcp]));
  }

  /** Whether its readers see what one of its calls has returned. */
  showsOutput(toolCallId: string): boolean {
    return this.#toolViews === undefined || callView(this.answer, toolCallId, this.#toolViews) === "all";
  }

  /** Appends an event of the answer to the event log, folds it into the answer, and sends it to every reader. */
  append(event: StreamEvent): void {
    const logged = this.#numbered(event);
    this.signs.note();
    if (this.firstTokenAt === undefined && event.type.endsWith("-delta")) this.firstTokenAt = this.signs.lastAt;
    this.#answer.apply(event);
    if (this.#toolViews !== undefined && "toolName" in event) {
      const origin = this.#originOf(event.toolName);
      if (origin !== undefined) this.#answer.change((message) => withOrigin(message, event.toolCallId, origin));
    }
    this.#blocks.note(event);
    this.#eventLog.add(logged);
    this.#send(logged);
  }

  /** A block was sent as text and is reasoning, or the reverse. Its readers have read it as it was sent. */
  recast(blockId: string, really: "text" | "reasoning"): void {
    this.#answer.recast(blockId, really);
  }

  /** Sends an event to every reader without appending it to the event log: the storage has its content elsewhere. */
  sendUnlogged(event: StreamEvent): void {
    const logged = this.#numbered(event);
    this.#unlogged.push(logged);
    this.#send(logged);
  }

  /** The answer as it is to be stored at the run's end. */
  endedAnswer(status: MessageStatus): Message {
    return endAnswer(this.#answer.folded, status).message;
  }

  /**
   * From now on `stop` does nothing: the end is being stored. What the model still has open is aborted, and the blocks that
   * it has left open are ended.
   */
  beginEnd(): void {
    this.#phase = "ending";
    this.#controller.abort();
    for (const end of this.#blocks.ends()) this.append(end);
  }

  /** To be called when the run's end is stored. The readers get `events`. */
  end(events: readonly StreamEvent[]): void {
    for (const event of events) this.sendUnlogged(event);
    this.#eventLog.close(this.runId);
    this.#isStored = true;
    this.#ended.resolve();
  }

  /** No event follows: the streams of the readers end. */
  close(): void {
    if (this.#phase === "abandoned") return;
    this.#phase = "closed";
    this.#over.resolve();
  }

  /**
   * The run has failed without an end that is stored. Its readers are cut off, to rejoin; this instance's next heartbeat
   * interrupts what is stored of it.
   */
  abandon(): void {
    if (this.#phase === "closed") return;
    this.#phase = "abandoned";
    this.#controller.abort();
    this.#stop.resolve({ type: "interrupted" });
    this.#over.resolve();
  }

  /** The thread has its next question, or is archived: nobody needs to know what to ask after this answer. */
  leave(): void {
    this.#leaving.abort();
  }

  stop(reason: StopReason): void {
    if (this.isEnding) return;
    this.#controller.abort();
    this.#stop.resolve(reason);
  }

  /**
   * Serves a reader until the run is over or the reader is gone. It first gets what it has missed, from the event log, and
   * then each event as it comes. A reader that is too slow for that gets what it missed meanwhile from the log again.
   *
   * @param slowReaderMs see `Timings`
   */
  async serve(reader: RunReader, events: Pick<Storage["events"], "read">, slowReaderMs: number): Promise<void> {
    for (;;) {
      await this.#catchUp(reader, events, slowReaderMs);
      if (reader.closed) return;
      // No `await` until the reader is in the set, so that it misses no event in between.
      if (this.#phase === "abandoned") return reader.cutOff();
      for (const { seq, data } of this.#eventLog.unstored(this.runId)) reader.push(seq, data);
      for (const { seq, data } of this.#unlogged) reader.push(seq, data);
      if (this.#phase === "closed") return reader.end();
      this.#readers.add(reader);
      await Promise.race([reader.whenBlocked(), this.#over.promise]);
      this.#readers.delete(reader);
      if (!(await reader.waitForRoom(slowReaderMs))) return;
    }
  }

  async #catchUp(reader: RunReader, events: Pick<Storage["events"], "read">, slowReaderMs: number): Promise<void> {
    while (!reader.closed && this.#phase !== "abandoned" && reader.cursor < this.#lastStored()) {
      if (this.#eventLog.isBroken(this.runId)) return this.#waitForEnd(reader);
      const missed = await events.read(this.runId, reader.cursor).catch(waitForDatabase);
      // The visitor was erased meanwhile: the run is about to end.
      if (missed?.length === 0) return this.#waitForEnd(reader);
      for (const { seq, data } of missed ?? []) reader.push(seq, data);
      await reader.waitForRoom(slowReaderMs);
    }
  }

  /** What the reader has missed is in the answer alone. Once that is stored the reader is cut off, to read it there. */
  async #waitForEnd(reader: RunReader): Promise<void> {
    await Promise.race([reader.whenBlocked(), this.#over.promise]);
    reader.cutOff();
  }

  /** The number of the last event that can be read from the stored event log alone. */
  #lastStored(): number {
    const next = this.#eventLog.unstored(this.runId)[0] ?? this.#unlogged[0];
    return next === undefined ? this.#seq : next.seq - 1;
  }

  #numbered(event: StreamEvent): LoggedEvent {
    this.#seq += 1;
    const isOfTool = this.#toolViews !== undefined && "toolCallId" in event;
    const originOf = (name: string) => this.#originOf(name);
    const logged = isOfTool ? withView(event, this.answer, this.#toolViews, originOf) : event;
    return { runId: this.runId, seq: this.#seq, data: serializeEvent(logged) };
  }

  /** Nobody knows where a tool comes from that the model calls without having it: that of a server that is away. */
  #originOf(toolName: string): ToolOrigin | undefined {
    return this.#origins?.get(toolName);
  }

  #send({ seq, data }: LoggedEvent): void {
    for (const reader of this.#readers) reader.push(seq, data);
  }
}

/** While the database is away a reader is not cut off: it gets pings, and what it has missed later. */
async function waitForDatabase(error: unknown): Promise<undefined> {
  if (!(error instanceof StorageUnavailableError)) throw error;
  await sleep(CATCH_UP_RETRY_MS);
}
