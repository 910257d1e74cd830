/**
 * A backend of the chat inside a page: the operations of docs/protocol.md, in memory, with the demo model. A reload forgets all
 * that it holds.
 */
import { applyEvent } from "@nitka/protocol/apply-event";
import type { Answer } from "@nitka/protocol/apply-event";
import { beginAnswer } from "@nitka/protocol/begin-answer";
import type { Message, RunRequest, ServerConfig, StreamEvent, Thread } from "@nitka/protocol";
import { answerOf, titleOf } from "./demo-answer.ts";

interface StoredThread {
  readonly threadId: string;
  title: string | undefined;
  updatedAt: string;
  messages: readonly Message[];
}

const config: ServerConfig = {
  apiBase: "./",
  feedbackUrl: false,
  // The model here reads no files.
  attachments: false,
  models: [{ id: "demo", name: "Demo" }],
  model: "demo",
};

/** Answers a request by its path behind the backend's address. */
export type PageBackend = (request: Request, path: string) => Promise<Response>;

export function createPageBackend(): PageBackend {
  const threads = new Map<string, StoredThread>();
  return async (request, path) => {
    const call = `${request.method} ${path.replace(/\?.*/, "")}`;
    if (/^GET api\/projects\/[^/]+\/config$/.test(call)) return Response.json(config);
    if (call === "GET api/debug/threads") return Response.json([...threads.values()].map(summaryOf).toReversed());
    if (call === "POST api/debug/threads") {
      const thread = { threadId: newId(), title: undefined, updatedAt: now(), messages: [] };
      threads.set(thread.threadId, thread);
      return Response.json(summaryOf(thread));
    }
    const [, method, threadId = "", operation] = /^(\w+) api\/debug\/threads\/([^/]+)\/(.+)$/.exec(call) ?? [];
    const thread = threads.get(threadId);
    switch (thread && `${method} ${operation}`) {
      case "GET messages":
        return Response.json(thread?.messages);
      case "POST rename":
        if (thread) thread.title = ((await request.json()) as { readonly title: string }).title;
        return Response.json({});
      case "POST archive":
        threads.delete(threadId);
        return Response.json({});
      case "POST run/stream":
        return runIn(thread as StoredThread, (await request.json()) as RunRequest, request.signal);
      default:
        return Response.json({ error: { code: "not_found", message: "There is no such thread." } }, { status: 404 });
    }
  };
}

/** Stores the question, and streams the answer while it is written. Closing the connection stops it. */
function runIn(thread: StoredThread, { messages: [question] }: RunRequest, signal: AbortSignal): Response {
  const parentId = question.parentId ?? null;
  thread.messages = [...thread.messages.filter(({ id }) => id !== question.id), { ...question, parentId }];
  thread.updatedAt = now();
  const stopped = new AbortController();
  const ended = AbortSignal.any([signal, stopped.signal]);
  const events = eventsOf(thread, question, ended);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { value, done } = await events.next();
      if (ended.aborted) return;
      controller.enqueue(encoder.encode(`data: ${done ? "[DONE]" : JSON.stringify(value)}\n\n`));
      if (done) controller.close();
    },
    cancel: () => stopped.abort(),
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

async function* eventsOf(thread: StoredThread, question: Message, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  let answer: Answer = beginAnswer(newId(), question.id);
  const write = (event: StreamEvent) => {
    answer = applyEvent(answer, event);
    return event;
  };
  try {
    yield write({ type: "start", messageId: answer.message.id });
    for await (const event of answerOf(branchTo(thread.messages, question), signal)) yield write(event);
    if (thread.title === undefined) {
      thread.title = titleOf(question);
      yield { type: "data-thread-title", title: thread.title };
    }
    yield write({ type: "finish" });
  } catch (error) {
    if (!signal.aborted) yield write({ type: "error", errorText: String(error) });
  } finally {
    if (signal.aborted) write({ type: "abort" });
    thread.messages = [...thread.messages, answer.message];
  }
}

/** The messages from the first one to the question, along their parents. */
function branchTo(messages: readonly Message[], question: Message): readonly Message[] {
  const parent = messages.find(({ id }) => id === question.parentId);
  return [...(parent ? branchTo(messages, parent) : []), question];
}

function summaryOf({ threadId, title, updatedAt }: StoredThread): Thread {
  return { threadId, updatedAt, ...(title !== undefined && { title }) };
}

/** Not by `randomUUID`, which a page without HTTPS lacks. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (number) => number.toString(36)).join("");
}

function now(): string {
  return new Date().toISOString();
}
