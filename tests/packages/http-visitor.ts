import type { Message, Thread } from "@nitka/protocol";

/** A visitor without a browser, identified by a cookie. */
export interface HttpVisitor {
  readonly id: string;
  /** Asks in the visitor's one thread, and returns the whole stream of the answer. */
  ask(question: string): Promise<string>;
  messages(): Promise<readonly Message[]>;
  /** The same visitor at another server. */
  at(url: string): HttpVisitor;
}

/** @param url the base of the API, without a slash at the end */
export async function newVisitor(url: string): Promise<HttpVisitor> {
  const made = await fetch(`${url}/api/debug/threads`, post({}));
  const cookie = made.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  const listed = await fetch(`${url}/api/debug/threads`, { headers: { cookie } });
  const [thread] = (await listed.json()) as readonly Thread[];
  return visitorAt(url, cookie, thread?.threadId ?? "");
}

function visitorAt(url: string, cookie: string, threadId: string): HttpVisitor {
  const thread = `${url}/api/debug/threads/${threadId}`;
  const messages = async () =>
    (await (await fetch(`${thread}/messages`, { headers: { cookie } })).json()) as readonly Message[];
  return {
    id: /=([^.]+)/.exec(cookie)?.[1] ?? "",
    messages,
    at: (other) => visitorAt(other, cookie, threadId),
    async ask(question) {
      const parentId = (await messages()).at(-1)?.id;
      const message = { id: crypto.randomUUID(), role: "user", content: question, ...(parentId && { parentId }) };
      return (await fetch(`${thread}/run/stream`, post({ messages: [message] }, cookie))).text();
    },
  };
}

function post(body: unknown, cookie = ""): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json", cookie }, body: JSON.stringify(body) };
}
