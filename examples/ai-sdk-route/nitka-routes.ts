import type { Message, RunRequest, Thread } from "@nitka/protocol";
import { applyEvent, endAnswer } from "@nitka/protocol/apply-event";
import { beginAnswer } from "@nitka/protocol/begin-answer";
import { partsOf, textOf } from "@nitka/protocol/message";
import { readStream } from "@nitka/protocol/read-stream";
import { encodeSse } from "@nitka/protocol/sse";
import { toUiMessage } from "../use-chat/to-ui-message.ts";

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
    switch (`${request.method} ${action}`) {
      case "GET messages":
        return Response.json(thread.messages);
      case "POST rename":
        thread.title = ((await request.json()) as { readonly title: string }).title;
        return Response.json({});
      case "POST archive":
        threads.delete(threadId);
        return Response.json({});
      case "POST run/stream":
        return ask(route, thread, request);
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

/** Asks the route for an answer to the question in a request. The stream goes to the visitor and into the thread. */
async function ask(route: ChatRoute, thread: StoredThread, request: Request): Promise<Response> {
  const { messages, trigger } = (await request.json()) as RunRequest;
  const [question] = messages;
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
  const [toVisitor, toThread] = response.body.tee();
  void keep(thread, branch, answerId, toThread);
  // The route names no id of its answer, and no title. These two events come before its own.
  const head = [
    { type: "start", messageId: answerId },
    { type: "data-thread-title", data: { title: thread.title }, transient: true },
  ].map((event) => encodeSse(JSON.stringify(event)));
  const withHead = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(head.join(""))),
  });
  return new Response(toVisitor.pipeThrough(withHead), { headers: response.headers });
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

/** Reads a stream into an answer, and adds the answer to the thread. */
async function keep(
  thread: StoredThread,
  branch: readonly Message[],
  answerId: string,
  stream: ReadableStream<Uint8Array>,
): Promise<void> {
  let answer = beginAnswer(answerId);
  try {
    for await (const { event } of readStream(stream)) answer = applyEvent(answer, event);
  } catch {
    // The route broke off. What has arrived is kept.
  }
  const { message } = endAnswer(answer, { type: "incomplete", reason: "interrupted" });
  thread.messages = [...branch, message];
  thread.updatedAt = new Date().toISOString();
}

function problem(status: number, code: string, message: string): Response {
  return Response.json({ error: { code, message } }, { status });
}
