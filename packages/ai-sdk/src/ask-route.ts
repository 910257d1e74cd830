import type { Message, UserMessage } from "@nitka/protocol";
import { branchTo } from "@nitka/protocol/branch";
import { partsOf, textOf } from "@nitka/protocol/message";
import { cleanTitle, shortTitle } from "@nitka/protocol/thread-title";
import { createAnswerStream } from "./answer-stream.ts";
import { readPosted, runRequest } from "./posted-body.ts";
import { Refusal } from "./refusal.ts";
import type { StoredThread, ThreadChanges } from "./thread-storage.ts";
import { toUiMessage } from "./to-ui-message.ts";

/** A route of the AI SDK: it takes `{ messages: UIMessage[] }` and responds with a UI message stream. */
export type ChatRoute = (request: Request) => Response | Promise<Response>;

/**
 * Asks a route to answer the question in a request. The stream goes to the visitor and into the thread.
 *
 * @param change changes this thread: see `ThreadStorage`
 */
export async function ask(
  route: ChatRoute,
  request: Request,
  thread: StoredThread,
  change: (changes: ThreadChanges) => Promise<boolean>,
): Promise<Response> {
  const { messages, trigger } = await readPosted(request, runRequest);
  const question = placed(messages[0] as UserMessage, thread.messages);
  const branch = branchTo([...thread.messages.filter(({ id }) => id !== question.id), question], question.id);
  const headers = new Headers(request.headers);
  headers.delete("content-length");
  const body = { id: thread.threadId, trigger, messages: branch.map(({ message }) => forModel(message)) };
  const response = await route(
    new Request(request.url, { method: "POST", headers, body: JSON.stringify(body), signal: request.signal }),
  );
  if (!response.ok || !response.body) return response;
  const type = response.headers.get("content-type");
  if (!type?.startsWith("text/event-stream"))
    throw new Error(`The route responds with ${type}. The widget needs result.toUIMessageStreamResponse().`);

  const named = cleanTitle(textOf(question));
  const title = !thread.title && named !== undefined ? { title: shortTitle(named) } : undefined;
  if (!(await change({ ...title, updatedAt: now(), message: question }))) {
    await response.body.cancel();
    throw new Refusal("not_found", "The thread has been archived.");
  }
  const answers = createAnswerStream({
    answerId: crypto.randomUUID(),
    questionId: question.id,
    ...title,
    keep: (answer) => change({ updatedAt: now(), message: { createdAt: now(), ...answer } }),
  });
  return new Response(response.body.pipeThrough(answers), { headers: response.headers });
}

/** A question with its place in the thread. A repeated question is the stored one. */
function placed(asked: UserMessage, messages: readonly Message[]): Message {
  const stored = messages.find(({ id }) => id === asked.id);
  if (stored?.role === "user") return stored;
  if (stored) throw new Refusal("unprocessable", `messages.0.id: ${asked.id} is the id of an answer.`);
  const { parentId = messages.at(-1)?.id ?? null } = asked;
  if (parentId !== null && !messages.some(({ id }) => id === parentId))
    throw new Refusal("unprocessable", `messages.0.parentId: there is no message ${parentId} in this thread.`);
  return { ...asked, parentId, createdAt: now() };
}

/**
 * A message in the form that the route accepts. A stopped tool call has no result, and no provider accepts one without.
 */
function forModel(message: Message) {
  const content = partsOf(message).filter((part) => part.type !== "tool-call" || part.result !== undefined);
  return toUiMessage({ ...message, content });
}

function now(): string {
  return new Date().toISOString();
}
