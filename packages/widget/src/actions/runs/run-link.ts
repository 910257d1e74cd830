/** The connection of a run: the request that begins or joins it, the position in its stream, and the writer of its answer. */
import type { Message } from "@nitka/protocol";
import type { Answer } from "@nitka/protocol/apply-event";
import { partsOf } from "@nitka/protocol/message";
import { loadChunk } from "../../load-chunk.ts";
import { HttpError, unreachable } from "../../transport/http-error.ts";
import type { Appended } from "../../store/state.ts";
import type { RunStream } from "../../transport/transport.ts";
import type { ActionContext } from "../action-context.ts";
import type { AnswerWriter, SideEvent } from "./answer-writer.ts";
import type { RunPhaseEvent } from "./run-phase.ts";

/**
 * The code that turns a stream into an answer. It loads with the chat, after the composer is shown, because the first run needs
 * it.
 */
export const loadAnswerWriter = loadChunk(() => import("./answer-writer.ts"));

export type AnswerWriterCode = Awaited<ReturnType<typeof loadAnswerWriter>>;

export interface RunLinkOptions {
  readonly context: ActionContext;
  readonly threadId: string;
  /** Aborts when nothing more is to be read. */
  readonly signal: AbortSignal;
  /** The code that writes answers, if it has loaded. Then the first request is made synchronously. */
  readonly answerWriter: () => AnswerWriterCode | undefined;
  /**
   * Makes the request that begins the run, and calls `onSent` when the request leaves the page. If absent, the run is joined.
   */
  readonly begin?: (signal: AbortSignal, onSent: (outlivesPage: boolean) => void) => Promise<RunStream>;
  /** Whether the backend has confirmed the question. If so, the run is joined instead of begun. */
  readonly isConfirmed: () => boolean;
  readonly advance: (event: RunPhaseEvent) => void;
  /** The answer before its first event. */
  readonly answer: Message;
  /** The answer as the state has it. */
  readonly shown: () => Message | undefined;
  /** Called with the answer after the events that were read, and with the text that they added if it belongs to one part. */
  readonly onWrite: (answer: Answer, appended: Appended | undefined) => void;
  readonly onSideEvent: (event: SideEvent, messageId: string) => void;
}

/** How a stream ended: with `[DONE]`, by a close without it, or with the error that broke it. */
export interface StreamEnd {
  readonly isDone: boolean;
  readonly cause: unknown;
}

export interface RunLink {
  /** Makes one request and reads its stream to the end. @returns `undefined` if there is no run to join */
  follow(): Promise<StreamEnd | undefined>;
  /** Whether the question has left the page, so that the backend may have it. */
  readonly mayHaveQuestion: boolean;
  /** `undefined` before the first connection. */
  readonly writer: AnswerWriter | undefined;
}

export function createRunLink(options: RunLinkOptions): RunLink {
  const { context, threadId, signal, begin, advance } = options;
  const { store, transport } = context;
  const link: { -readonly [Name in keyof RunLink]: RunLink[Name] } = {
    follow,
    mayHaveQuestion: !begin,
    writer: undefined,
  };
  /** The id of the last event. */
  let cursor: string | undefined;
  /** The number of the run's events that were read, from its first. A replay counts from 0 again. */
  let position = 0;
  /** The highest `position` so far. */
  let furthest = 0;

  return link;

  async function follow(): Promise<StreamEnd | undefined> {
    // The code loads before the request, because a stream without a reader would stay open.
    const code = options.answerWriter() ?? (await loadCode());
    signal.throwIfAborted();
    const stream = await (begin && !options.isConfirmed() ? post(begin) : join());
    if (!stream) return undefined;
    advance("connected");
    // Without a cursor the stream begins with the run's first event, and the answer is rebuilt from there.
    if (cursor === undefined || !link.writer) link.writer = writeFromStart(code);
    return read(stream, link.writer);
  }

  function loadCode(): Promise<AnswerWriterCode> {
    return loadAnswerWriter().catch((error: unknown) => {
      throw unreachable(error);
    });
  }

  /**
   * Makes the request that begins the run. A browser that reports no network sends no request, although the report may be
   * wrong.
   */
  async function post(request: NonNullable<typeof begin>): Promise<RunStream> {
    const { mayHaveQuestion } = link;
    const wasOffline = store.get().offline;
    const onSent = (outlivesPage: boolean) => {
      link.mayHaveQuestion = true;
      if (outlivesPage) advance("called");
    };
    try {
      return await request(signal, onSent);
    } catch (error) {
      const isUnreachable = error instanceof HttpError && error.status === 0;
      if (isUnreachable && wasOffline && store.get().offline) link.mayHaveQuestion = mayHaveQuestion;
      throw error;
    }
  }

  function join(): Promise<RunStream | undefined> | undefined {
    advance("called");
    return transport.joinRun?.(threadId, cursor, signal);
  }

  function writeFromStart(code: AnswerWriterCode): AnswerWriter {
    position = 0;
    const shown = options.shown();
    link.writer?.stop();
    const writer = code.createAnswerWriter({
      answer: shown ?? options.answer,
      shownLength: shown ? code.textLength(partsOf(shown)) : 0,
      schedule: context.schedule,
      isHidden: context.isHidden,
      onWrite: options.onWrite,
      onSideEvent: (event) => options.onSideEvent(event, writer.messageId()),
    });
    return writer;
  }

  async function read(stream: RunStream, current: AnswerWriter): Promise<StreamEnd> {
    let isDone = false;
    let cause: unknown;
    try {
      let frame = await stream.next();
      for (; !frame.done; frame = await stream.next()) {
        cursor = frame.value.id ?? cursor;
        position += 1;
        // A backend without event ids replays the run at each connection. Only events beyond the last replay are progress.
        if (position > furthest) {
          furthest = position;
          advance("progressed");
        }
        if (!current.push(frame.value.event)) await current.drained();
      }
      isDone = frame.value;
    } catch (error) {
      // An error while reading counts as a lost connection, unless the widget aborted the stream.
      if (signal.aborted) throw error;
      cause = connectionClosed(error);
    }
    await current.drained();
    return { isDone, cause };
  }
}

export function connectionClosed(cause?: unknown): Error {
  return new Error("the connection closed before the answer ended", { cause });
}
