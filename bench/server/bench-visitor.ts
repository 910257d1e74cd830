import { readStream } from "@nitka/protocol/read-stream";
import { configRoute, routes } from "@nitka/protocol/routes";
import type { Message, StreamEvent } from "@nitka/protocol";

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
