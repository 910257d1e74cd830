import type { IncomingMessage, ServerResponse } from "node:http";
import type { Message } from "@nitka/protocol";
import type { RunVisitor } from "@nitka/server";

/** `server`: our own server. `plain`: a backend with only the operations of the specification. */
export type BackendKind = "server" | "plain";

/** An event in its wire format. */
export interface WireEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** What a scripted answer knows about its question. */
export interface Asked {
  readonly text: string;
  readonly question: Pick<Message, "id" | "role" | "content" | "attachments">;
  readonly signal: AbortSignal;
  /** Makes the answer wait for tools of the page and for approvals. Only our own server supports it. */
  readonly visitor?: RunVisitor;
}

/**
 * A scripted answer: the events between `start` and `finish`, for both backends. An exception becomes an `error` event
 * with its message.
 */
export type Answer = (asked: Asked) => AsyncIterable<WireEvent> | Iterable<WireEvent>;

/**
 * A whole stream with `start` and end. Strings are written unchanged, and an exception cuts the connection. Only the
 * plain backend supports it.
 */
export type RawAnswer = (
  asked: Asked & { readonly answerId: string },
) => AsyncIterable<WireEvent | string> | Iterable<WireEvent | string>;

/** A backend behind a site. It answers requests with what the test has scripted. */
export interface Backend {
  handle(request: IncomingMessage, response: ServerResponse): void;
  close(): Promise<void>;
}

/** What a test has scripted so far. The backend reads it for each request. */
export interface Script {
  answer: Answer;
  rawAnswer: RawAnswer | undefined;
  /** The title that the assistant gives a thread; none by default. */
  title: string | undefined;
  now: () => Date;
}

/** The events of an answer that is one text, with one delta a word. */
export function textEvents(text: string, id = "t1"): WireEvent[] {
  return [
    { type: "text-start", id },
    ...(text.match(/\S+\s*|\s+/g) ?? []).map((delta) => ({ type: "text-delta", id, delta })),
    { type: "text-end", id },
  ];
}

/** The line that ends a stream. */
export const done = "data: [DONE]\n\n";

/** The answer until a test scripts another one: it quotes the question. */
export function echo({ text }: Asked): WireEvent[] {
  return textEvents(`Ответ на «${text}».`);
}

/** Holds a scripted answer or a request back until the test opens it. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

export function gate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
