import { toUiMessage } from "@nitka/ai-sdk";
import type { Message, MessageStatus, RunRequest, Thread } from "@nitka/protocol";
import { applyEvent, endAnswer } from "@nitka/protocol/apply-event";
import { beginAnswer } from "@nitka/protocol/begin-answer";
import { partsOf, textOf } from "@nitka/protocol/message";
import { createSseDecoder, encodeSse } from "@nitka/protocol/sse";
import { parseStreamEvent } from "@nitka/protocol/stream-event";

/** A route of the AI SDK: it takes `{ messages: UIMessage[] }` and responds with a UI message stream. */
export type ChatRoute = (request: Request) => Promise<Response>;

/**
 * The widget's seven operations in front of a route that knows nothing of them. The threads are in memory and belong to
 * everyone: an application keeps them in its database, for each of its visitors.
 */
export function createNitkaRoutes(route: ChatRoute): (request: Request) => Promise<Response> {
  const threads = new Map<string, StoredThread>();
  return async function handle(request) {
    const [, path = ""] = /\/api\/(.+)$/.exec(new URL(request.url).pathname) ?? [];
    const operation = `${request.method} ${path}`;
    if (/^GET projects\/[^/]+\/config$/.test(operation)) return Response.json({ apiBase: "./" });
    if (operation === "GET debug/threads") return Response.json([...threads.values()].map(listed));
    if (operation === "POST debug/threads") {
      const thread = { threadId: crypto.randomUUID(), title: "", updatedAt: new Date().toISOString(), messages: [] };
      threads.set(thread.threadId, thread);
      return Response.json(listed(thread));
    }

    const [, threadId = "", action] = /^debug\/threads\/([^/]+)\/(.+)$/.exec(path) ?? [];
    const thread = threads.get(threadId);
    if (!thread) return problem(404, "not_found", "There is no such thread.");
    if (operation.startsWith("GET") && action === "messages") return Response.json(thread.messages);
    const body = (await request.json().catch(() => undefined)) as PostedBody | undefined;
    if (!body) return problem(400, "bad_request", "The body is not JSON.");
    switch (`${request.method} ${action}`) {
      case "POST rename":
        thread.title = body.title ?? "";
        return Response.json({});
      case "POST archive":
        threads.delete(threadId);
        return Response.json({});
      case "POST run/stream":
        return ask(route, thread, body, request);
      default:
        return problem(404, "not_found", "There is no such operation.");
    }
  };
}

interface StoredThread extends Omit<Thread, "title" | "updatedAt"> {
  title: string;
  updatedAt: string;
  /** The branch that is shown, in one straight line. */
  messages: readonly Message[];
}

function listed({ threadId, title, updatedAt }: StoredThread): Thread {
  return { threadId, title, updatedAt };
}

/** What the widget posts: a title, or a question. */
type PostedBody = { readonly title?: string } & Partial<RunRequest>;

/** Asks the route for an answer to the question in a request. The stream goes to the visitor and into the thread. */
async function ask(
  route: ChatRoute,
  thread: StoredThread,
  { messages, trigger }: PostedBody,
  request: Request,
): Promise<Response> {
  const question = messages?.[0];
  if (!question) return problem(422, "unprocessable", "messages must have the question.");
  const before = upTo(question.parentId, thread.messages);
  if (!before) return problem(422, "unprocessable", `There is no message ${question.parentId} in this thread.`);

  const branch = [...before, question];
  const body = JSON.stringify({ id: thread.threadId, trigger, messages: branch.map(forModel) });
  const response = await route(
    new Request(request.url, {
      method: "POST",
      headers: { "content-type": "application/json", cookie: request.headers.get("cookie") ?? "" },
      body,
      signal: request.signal,
    }),
  );
  if (!response.ok || !response.body) return response;

  thread.messages = branch;
  thread.title ||= textOf(question).slice(0, 60);
  const answerId = crypto.randomUUID();
  const keep = (answer: Message) => {
    thread.messages = [...branch, answer];
    thread.updatedAt = new Date().toISOString();
  };
  // The route names no id of its answer, and no title. These two events come before its own.
  const head = [
    { type: "start", messageId: answerId },
    { type: "data-thread-title", data: { title: thread.title }, transient: true },
  ].map((event) => encodeSse(JSON.stringify(event)));
  return new Response(response.body.pipeThrough(foldInto(answerId, head.join(""), keep)), {
    headers: response.headers,
  });
}

/** The messages up to the parent of a question; `undefined` when the parent is unknown. */
function upTo(parentId: string | null | undefined, messages: readonly Message[]): readonly Message[] | undefined {
  if (parentId === undefined) return messages;
  if (parentId === null) return [];
  const index = messages.findIndex(({ id }) => id === parentId);
  return index < 0 ? undefined : messages.slice(0, index + 1);
}

/** A message as the route takes it. A tool call that was stopped has no result, which no provider accepts. */
function forModel(message: Message) {
  const content = partsOf(message).filter((part) => part.type !== "tool-call" || part.result !== undefined);
  return toUiMessage({ ...message, content });
}

/**
 * Passes a stream on behind a head, and folds its events into an answer.
 *
 * @param keep gets the answer at its end, before the visitor does: the next question may follow at once
 */
function foldInto(answerId: string, head: string, keep: (answer: Message) => void): TransformStream<Bytes, Bytes> {
  const utf8 = new TextDecoder();
  const push = createSseDecoder();
  let answer = beginAnswer(answerId);
  const end = (status: MessageStatus) => keep(endAnswer(answer, status).message);
  // The DOM types do not have `cancel` yet.
  const transformer: Transformer<Bytes, Bytes> & { readonly cancel: () => void } = {
    start: (controller) => controller.enqueue(new TextEncoder().encode(head)),
    transform(bytes, controller) {
      for (const { data } of push(utf8.decode(bytes, { stream: true }))) {
        const event = parseStreamEvent(data);
        if (event) answer = applyEvent(answer, event);
      }
      if (answer.message.status?.type !== "running") keep(answer.message);
      controller.enqueue(bytes);
    },
    flush: () => end({ type: "complete" }),
    // The visitor has closed the connection, or the route broke off. What has arrived is kept.
    cancel: () => end({ type: "incomplete", reason: "interrupted" }),
  };
  return new TransformStream(transformer);
}

type Bytes = Uint8Array<ArrayBuffer>;

function problem(status: number, code: string, message: string): Response {
  return Response.json({ error: { code, message } }, { status });
}
