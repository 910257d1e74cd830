import type { Transformer } from "node:stream/web";
import type { Message, MessageStatus, StreamEvent } from "@nitka/protocol";
import { applyEvent, endAnswer } from "@nitka/protocol/apply-event";
import { beginAnswer } from "@nitka/protocol/begin-answer";
import { serializeEvent } from "@nitka/protocol/serialize-event";
import { createSseDecoder, encodeSse } from "@nitka/protocol/sse";
import { parseStreamEvent } from "@nitka/protocol/stream-event";

type Bytes = Uint8Array<ArrayBuffer>;

export interface AnswerStreamOptions {
  readonly answerId: string;
  readonly questionId: string;
  /** The new title of the thread, if it had none. */
  readonly title?: string;
  /** Stores the answer at its end, before the visitor sees the end: the next question may follow at once. */
  readonly keep: (answer: Message) => Promise<unknown>;
}

/** Passes a route's stream on, and folds its events into an answer. */
export function createAnswerStream({ answerId, questionId, title, keep }: AnswerStreamOptions) {
  const text = new TextDecoder();
  const push = createSseDecoder();
  let answer = beginAnswer(answerId, questionId);
  let kept: Message | undefined;
  async function end(status?: MessageStatus): Promise<void> {
    if (status) answer = endAnswer(answer, status);
    if (answer.message === kept) return;
    kept = answer.message;
    await keep(kept);
  }
  // TypeScript's type does not contain `cancel` yet.
  const transformer: Transformer<Bytes, Bytes> & { readonly cancel: () => Promise<void> } = {
    start(controller) {
      // The route's stream contains neither the answer's id nor a title.
      const send = (event: StreamEvent) =>
        controller.enqueue(new TextEncoder().encode(encodeSse(serializeEvent(event))));
      send({ type: "start", messageId: answerId });
      if (title !== undefined) send({ type: "data-thread-title", title });
    },
    async transform(bytes, controller) {
      for (const { data } of push(text.decode(bytes, { stream: true }))) {
        const event = parseStreamEvent(data);
        if (event) answer = applyEvent(answer, event);
      }
      if (answer.message.status?.type !== "running") await end();
      controller.enqueue(bytes);
    },
    flush: () => end({ type: "complete" }),
    // The visitor has closed the connection, or the route broke off. The received part is stored.
    cancel: () => end({ type: "incomplete", reason: "interrupted" }),
  };
  return new TransformStream(transformer);
}
