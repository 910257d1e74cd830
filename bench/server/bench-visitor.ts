import { readStream } from "@nitka/protocol/read-stream";
import { configRoute, routes } from "@nitka/protocol/routes";
import type { Message, StreamEvent } from "@nitka/protocol";
import { dueTimesIn } from "./servers/paced-deltas.ts";
import type { Pace } from "./servers/paced-deltas.ts";

/** A visitor with a cookie, which stays the same when the server restarts. */
export class BenchVisitor {
  #cookie = "";

  async visit(url: string): Promise<void> {
    const response = await this.#send(new URL(configRoute("default"), url));
    await response.arrayBuffer();
    this.#cookie = response.headers.get("set-cookie")?.split(";")[0] ?? this.#cookie;
  }

  async createThread(url: string): Promise<string> {
    const response = await this.#send(new URL(routes.threads(), url), {});
    return ((await response.json()) as { readonly threadId: string }).threadId;
  }

  async rename(url: string, threadId: string, title: string): Promise<void> {
    await (await this.#send(new URL(routes.rename(threadId), url), { title })).arrayBuffer();
  }

  async titles(url: string): Promise<ReadonlyMap<string, string | undefined>> {
    const response = await this.#send(new URL(`${routes.threads()}?limit=200`, url));
    const threads = (await response.json()) as readonly { readonly threadId: string; readonly title?: string }[];
    return new Map(threads.map(({ threadId, title }) => [threadId, title]));
  }

  async messages(url: string, threadId: string): Promise<readonly Message[]> {
    const response = await this.#send(new URL(routes.messages(threadId), url));
    return (await response.json()) as readonly Message[];
  }

  async cancel(url: string, threadId: string): Promise<void> {
    await (await this.#send(new URL(routes.cancel(threadId), url), {})).arrayBuffer();
  }

  /** Asks a question and yields the events of the answer until the stream ends. */
  async *ask(url: string, threadId: string, question: Message, again = false): AsyncGenerator<StreamEvent> {
    const trigger = again ? "regenerate-message" : "submit-message";
    const response = await this.#send(new URL(routes.run(threadId), url), { messages: [question], trigger });
    if (response.body) for await (const { event } of readStream(response.body)) yield event;
  }

  async #send(url: URL, body?: unknown): Promise<Response> {
    const response = await fetch(url, {
      headers: { cookie: this.#cookie, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${url.pathname} responded with ${response.status}: ${await response.text()}`);
    return response;
  }
}

/** An answer as its reader sees it. */
export interface Reading {
  readonly threadId: string;
  readonly pace: Pace;
  text: string;
  /** The type of the last event, or the error that broke the stream; `none` while it is being read. */
  end: string;
  endedAt: number;
}

export function newReading(threadId: string, pace: Pace): Reading {
  return { threadId, pace, text: "", end: "none", endedAt: 0 };
}

/** Asks the first question of a thread and reads its answer until the stream ends or breaks. */
export async function readAnswer(visitor: BenchVisitor, url: string, reading: Reading, id: string): Promise<void> {
  const question = { id, role: "user", content: JSON.stringify(reading.pace), parentId: null } as const;
  let end = "a stream without an end";
  try {
    for await (const event of visitor.ask(url, reading.threadId, question)) {
      if (event.type === "text-delta") reading.text += event.delta;
      if (event.type === "finish" || event.type === "error" || event.type === "abort") end = event.type;
    }
  } catch (error) {
    end = String(error);
  }
  reading.end = end;
  reading.endedAt = Date.now();
}

/** Whether the reader has received every delta and the end. */
export function isWhole({ text, end, pace }: Reading): boolean {
  return end === "finish" && dueTimesIn(text).length === pace.deltas;
}
