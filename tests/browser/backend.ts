import type { IncomingMessage, ServerResponse } from "node:http";
import type { Message } from "@nitka/protocol";

/** `server`: our own. `plain`: the calls of the specification and nothing else. */
export type BackendKind = "server" | "plain";

/** An event as it goes over the wire. */
export interface WireEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** What a scripted answer knows of its question. */
export interface Asked {
  readonly text: string;
  readonly question: Pick<Message, "id" | "role" | "content" | "attachments">;
  readonly signal: AbortSignal;
}

/**
 * What the assistant says: the events between `start` and `finish`, for either backend. What it throws becomes an
 * `error` event with that text.
 */
export type Answer = (asked: Asked) => AsyncIterable<WireEvent> | Iterable<WireEvent>;

/**
 * A whole stream as it stands, `start` and end included: strings are written as they are, what it throws cuts the
 * connection. The plain backend's alone.
 */
export type RawAnswer = (
  asked: Asked & { readonly answerId: string },
) => AsyncIterable<WireEvent | string> | Iterable<WireEvent | string>;

/** A backend behind a site: it answers the calls, with what the test has scripted. */
export interface Backend {
  handle(request: IncomingMessage, response: ServerResponse): void;
  close(): Promise<void>;
}

/** What a test has scripted so far; read anew for each call. */
export interface Script {
  answer: Answer;
  rawAnswer: RawAnswer | undefined;
  /** The title that the assistant gives a thread; none by default. */
  title: string | undefined;
  now: () => Date;
}

/** Events of an answer that is one text, in pieces of a word. */
export function textEvents(text: string, id = "t1"): WireEvent[] {
  return [
    { type: "text-start", id },
    ...(text.match(/\S+\s*|\s+/g) ?? []).map((delta) => ({ type: "text-delta", id, delta })),
    { type: "text-end", id },
  ];
}

/** The line that ends a stream. */
export const done = "data: [DONE]\n\n";

/** The answer that stands until a test scripts another. */
export function echo({ text }: Asked): WireEvent[] {
  return textEvents(`Ответ на «${text}».`);
}

/** Something that a scripted answer waits for, and a test lets happen. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

export function gate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
