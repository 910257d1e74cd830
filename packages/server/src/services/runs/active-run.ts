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

/** Why a run ends before its model does. */
export type StopReason =
  | { readonly type: "cancelled" }
  /** This server is closing. */
  | { readonly type: "interrupted" }
  /** Another instance considered this one dead and has ended the run, or the thread is gone. */
  | { readonly type: "lost" }
  | { readonly type: "failed"; readonly code: FailureCode; readonly text: string; readonly cause?: unknown };

/**
 * - `running`: the model is writing.
 * - `ending`: the end is being stored, and the run can no longer be stopped.
 * - `closed`: the end is stored, and all events were sent.
 * - `abandoned`: an error of the server has left the run without an end.
 */
type Phase = "running" | "ending" | "closed" | "abandoned";

/**
 * A run that this process writes: its answer so far, its events, its readers. It knows neither the model nor the
 * connections.
 */
export class ActiveRun {
  readonly record: NewRun;
  readonly owner: Owner;
  /** Resolves with the reason when the run is to stop. */
  readonly stopped: Promise<StopReason>;
  /** Signs of life, for the limit of silence. */
  readonly signs = new SignsOfLife();
  /** A time of `performance.now()`, for the metrics. */
  firstTokenAt: number | undefined;
  /** The number of times a reader rejoined the run while it was being written. */
  rejoins = 0;
  #phase: Phase = "running";
  #seq = 0;
  readonly #answer: GrowingAnswer;
  readonly #blocks = new OpenBlocks();
  /**
   * Events that are not in the event log: the events of the end, which repeat the stored answer, and all later ones.
   * Readers that are behind get them from here.
   */
  readonly #unlogged: LoggedEvent[] = [];
  readonly #ended = Promise.withResolvers<void>();
  #isStored = false;
  /** Resolves when no more events follow. */
  readonly #over = Promise.withResolvers<void>();
  readonly #controller = new AbortController();
  readonly #leaving = new AbortController();
  readonly #stop = Promise.withResolvers<StopReason>();
  readonly #readers = new Set<RunReader>();
  readonly #eventLog: EventLogWriter;
  readonly #toolViews: ToolViews | undefined;
  /** The origins of the model's tools, by name; `undefined` until the model reports them. */
  #origins: ReadonlyMap<string, ToolOrigin> | undefined;

  /** @param toolViews how much of the tools' calls the readers see; `undefined` for everything */
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

  /** Aborted when the visitor has moved on from the answer. */
  get left(): AbortSignal {
    return this.#leaving.signal;
  }

  /** Resolves when the run's end is stored. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Whether the end is stored. A late title and suggestions, which follow it, do not count towards the runs. */
  get isStored(): boolean {
    return this.#isStored;
  }

  /** Whether the first event was appended, which happens after the run is stored. */
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

  /** To be called with the model's tools before it calls any. */
  openTools(tools: readonly ServerTool[]): void {
    this.#origins = new Map(tools.map(({ name, mcp = null }) => [name, mcp]));
  }

  /** Whether readers see the output of a call. */
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

  /**
   * Turns a block that was sent as text into reasoning, or the reverse. Readers have already received it as it was
   * sent.
   */
  recast(blockId: string, really: "text" | "reasoning"): void {
    this.#answer.recast(blockId, really);
  }

  /** Sends an event to every reader without appending it to the event log: the storage has its content elsewhere. */
  sendUnlogged(event: StreamEvent): void {
    const logged = this.#numbered(event);
    this.#unlogged.push(logged);
    this.#send(logged);
  }

  /** The answer to store at the end of the run. */
  endedAnswer(status: MessageStatus): Message {
    return endAnswer(this.#answer.folded, status).message;
  }

  /**
   * Begins the end: from now on `stop` does nothing. Aborts everything that the model still has open, and closes its
   * open blocks.
   */
  beginEnd(): void {
    this.#phase = "ending";
    this.#controller.abort();
    for (const end of this.#blocks.ends()) this.append(end);
  }

  /** To be called when the end is stored. Sends `events` to the readers. */
  end(events: readonly StreamEvent[]): void {
    for (const event of events) this.sendUnlogged(event);
    this.#eventLog.close(this.runId);
    this.#isStored = true;
    this.#ended.resolve();
  }

  /** Ends the readers' streams: no more events follow. */
  close(): void {
    if (this.#phase === "abandoned") return;
    this.#phase = "closed";
    this.#over.resolve();
  }

  /**
   * Abandons a run that failed without a stored end. Its readers are cut off, so that they rejoin; this instance's next
   * heartbeat interrupts the stored run.
   */
  abandon(): void {
    if (this.#phase === "closed") return;
    this.#phase = "abandoned";
    this.#controller.abort();
    this.#stop.resolve({ type: "interrupted" });
    this.#over.resolve();
  }

  /** The thread has its next question, or is archived: suggestions after this answer are no longer needed. */
  leave(): void {
    this.#leaving.abort();
  }

  stop(reason: StopReason): void {
    if (this.isEnding) return;
    this.#controller.abort();
    this.#stop.resolve(reason);
  }

  /**
   * Serves a reader until the run ends or the reader leaves. The reader first gets the events that it missed, from the
   * event log, and then each new event. A reader that is too slow gets the events that it missed meanwhile from the log
   * again.
   *
   * @param slowReaderMs see `Timings`
   */
  async serve(reader: RunReader, events: Pick<Storage["events"], "read">, slowReaderMs: number): Promise<void> {
    for (;;) {
      await this.#catchUp(reader, events, slowReaderMs);
      if (reader.closed) return;
      // No `await` before the reader is added to the set, so that it misses no event in between.
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

  /**
   * For a reader whose missed events are only in the answer. Once the answer is stored, the reader is cut off and reads
   * it there.
   */
  async #waitForEnd(reader: RunReader): Promise<void> {
    await Promise.race([reader.whenBlocked(), this.#over.promise]);
    reader.cutOff();
  }

  /** The number of the last event that is only in the stored event log. */
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

  /**
   * The origin is unknown for a tool that the model calls without having it, such as a tool of a server that is
   * unavailable.
   */
  #originOf(toolName: string): ToolOrigin | undefined {
    return this.#origins?.get(toolName);
  }

  #send({ seq, data }: LoggedEvent): void {
    for (const reader of this.#readers) reader.push(seq, data);
  }
}

/** While the database is unavailable the reader is not cut off. It gets pings now, and the missed events later. */
async function waitForDatabase(error: unknown): Promise<undefined> {
  if (!(error instanceof StorageUnavailableError)) throw error;
  await sleep(CATCH_UP_RETRY_MS);
}
