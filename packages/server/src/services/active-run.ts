import { setTimeout as sleep } from "node:timers/promises";
import type { FailureCode, Message, StreamEvent } from "@nitka/protocol";
import { applyEvent, beginAnswer, settle } from "@nitka/protocol/apply-event";
import type { MessageStatus } from "@nitka/protocol";
import { serializeEvent } from "@nitka/protocol/serialize-event";
import { StorageUnavailableError } from "../storage/storage.ts";
import type { LoggedEvent, NewRun, Owner, Storage } from "../storage/storage.ts";
import type { EventLog } from "./event-log.ts";
import type { RunReader } from "./run-reader.ts";

/** Why a run ends before its model has. */
export type StopReason =
  | { readonly type: "cancelled" }
  /** This server closes. */
  | { readonly type: "interrupted" }
  /** Another instance has ended it, taking this one for dead, or its thread is gone. */
  | { readonly type: "lost" }
  | { readonly type: "failed"; readonly code: FailureCode; readonly text: string; readonly cause?: unknown };

/** Between two attempts to read the log while the database cannot be asked. */
const READ_AGAIN_MS = 1_000;

/** A run that this process pumps: its answer so far, its log, its readers. It knows no model and no connection. */
export class ActiveRun {
  readonly run: NewRun;
  readonly owner: Owner;
  /** Resolves when the run is to stop. */
  readonly stopped: Promise<StopReason>;
  /** Set as soon as nothing can stop it any more: its end is being stored. */
  ending = false;
  /** Milliseconds of the machine's clock: for judging silence, and for the figures. */
  lastEventAt = Date.now();
  firstTokenAt: number | undefined;
  checkpointAt = Date.now();
  checkpointSeq = 0;
  #seq = 0;
  #answer;
  /** What is said after the log has ended: the end itself, a late title. Kept here for readers that come behind. */
  readonly #coda: LoggedEvent[] = [];
  #over = false;
  readonly #ended = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<void>();
  readonly #controller = new AbortController();
  readonly #stop = Promise.withResolvers<StopReason>();
  readonly #readers = new Set<RunReader>();
  readonly #log: EventLog;

  constructor(run: NewRun, owner: Owner, log: EventLog) {
    this.run = run;
    this.owner = owner;
    this.stopped = this.#stop.promise;
    this.#log = log;
    this.#answer = beginAnswer(run.answerId, run.questionId);
  }

  /** Aborted when the run is to stop. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Resolves when the run's end is stored. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** The answer so far. */
  get answer(): Message {
    return this.#answer.message;
  }

  /** The number of the last event. */
  get seq(): number {
    return this.#seq;
  }

  /** An event of the answer: folded, logged, and on its way to every reader. */
  emit(event: StreamEvent): void {
    const data = serializeEvent(event);
    const seq = (this.#seq += 1);
    this.lastEventAt = Date.now();
    if (this.firstTokenAt === undefined && event.type.endsWith("-delta")) this.firstTokenAt = this.lastEventAt;
    this.#answer = applyEvent(this.#answer, event);
    this.#log.add({ runId: this.run.runId, seq, data });
    for (const reader of this.#readers) reader.push(seq, data);
  }

  /** The answer as it is to be stored. */
  settled(status: MessageStatus): Message {
    return settle(this.#answer, status).message;
  }

  /** Something that is no part of the log: what the storage knows already, or only the readers need. */
  say(event: StreamEvent): void {
    const data = serializeEvent(event);
    const seq = (this.#seq += 1);
    this.#coda.push({ runId: this.run.runId, seq, data });
    for (const reader of this.#readers) reader.push(seq, data);
  }

  /** The run's end is stored: the events that say so. */
  end(events: readonly StreamEvent[]): void {
    for (const event of events) this.say(event);
    this.#log.close(this.run.runId);
    this.#ended.resolve();
  }

  /** Nothing follows: the readers' streams end. */
  close(): void {
    this.#over = true;
    this.#closed.resolve();
  }

  stop(reason: StopReason): void {
    if (this.ending) return;
    this.#controller.abort();
    this.#stop.resolve(reason);
  }

  /**
   * Serves a reader to the run's end, or until it goes: what it has missed comes from the log, then it reads along. One
   * that is too slow to read along is given from the log again what it missed meanwhile.
   *
   * @param slowMs how long a reader may take nothing before it is cut off
   */
  async serve(reader: RunReader, events: Pick<Storage["events"], "read">, slowMs: number): Promise<void> {
    for (;;) {
      await this.#catchUp(reader, events, slowMs);
      if (reader.closed) return;
      // No await from here until the reader is in the set: no event can slip through between.
      for (const { seq, data } of this.#log.unkept(this.run.runId)) reader.push(seq, data);
      for (const { seq, data } of this.#coda) reader.push(seq, data);
      if (this.#over) return reader.end();
      this.#readers.add(reader);
      await Promise.race([reader.stopped(), this.#closed.promise]);
      this.#readers.delete(reader);
      if (!(await reader.hasRoom(slowMs))) return;
    }
  }

  async #catchUp(reader: RunReader, events: Pick<Storage["events"], "read">, slowMs: number): Promise<void> {
    while (!reader.closed && reader.cursor < this.#lastKept()) {
      if (this.#log.isBroken(this.run.runId)) return this.#waitInVain(reader);
      const missed = await events.read(this.run.runId, reader.cursor).catch(waitForDatabase);
      if (missed?.length === 0) throw new Error(`The log of run ${this.run.runId} ends before its answer`);
      for (const { seq, data } of missed ?? []) reader.push(seq, data);
      await reader.hasRoom(slowMs);
    }
  }

  /** What the reader has missed is nowhere but in the answer: it is kept until that is stored, and then asks anew. */
  async #waitInVain(reader: RunReader): Promise<void> {
    await Promise.race([reader.stopped(), this.#closed.promise]);
    reader.drop();
  }

  /** The number of the last event that the log alone holds. */
  #lastKept(): number {
    const next = this.#log.unkept(this.run.runId)[0] ?? this.#coda[0];
    return next === undefined ? this.#seq : next.seq - 1;
  }
}

/** A reader is not cut off because the database is away: it waits, pinged, and what it has missed is read later. */
async function waitForDatabase(error: unknown): Promise<undefined> {
  if (!(error instanceof StorageUnavailableError)) throw error;
  await sleep(READ_AGAIN_MS);
}
