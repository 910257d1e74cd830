import { Agent, request } from "node:http";
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { configRoute, routes } from "@nitka/protocol/routes";
import type { Pace } from "./servers/paced-deltas.ts";

/** The requests of one visitor, with a cookie and as many connections as needed. */
export interface LoadClient {
  /** Requests the config, whose response sets the visitor's cookie. */
  visit(url: string): Promise<void>;
  cookie(): string;
  /** Sends a GET, or a POST of JSON when there is a body. Resolves with the response's headers. */
  send(url: string, body?: string): Promise<IncomingMessage>;
  json<T>(url: string, body?: string): Promise<T>;
  createThread(url: string): Promise<string>;
  /** Asks in a thread for an answer of a pace. Resolves with the headers of the answer's stream. */
  ask(url: string, threadId: string, pace: Pace, fields?: Readonly<Record<string, unknown>>): Promise<IncomingMessage>;
}

/** @param localAddress the address that requests come from, such as `127.0.0.2`; the loopback's first unless given */
export function createLoadClient(localAddress = "127.0.0.1"): LoadClient {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  let cookie = "";

  function send(url: string, body?: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = { cookie, ...(body !== undefined && { "content-type": "application/json" }) };
      const options = { agent, localAddress, method: body === undefined ? "GET" : "POST", headers };
      const outgoing = request(url, options, (response) => {
        const given = response.headers["set-cookie"]?.[0]?.split(";")[0];
        cookie = given ?? cookie;
        resolve(response);
      });
      outgoing.once("error", reject);
      outgoing.end(body);
    });
  }

  async function json<T>(url: string, body?: string): Promise<T> {
    const response = await send(url, body);
    const answered = await text(response);
    if ((response.statusCode ?? 0) >= 300) throw new Error(`${url} answered ${response.statusCode}: ${answered}`);
    return JSON.parse(answered) as T;
  }

  return {
    visit: async (url) => {
      const response = await send(new URL(configRoute("default"), url).href);
      response.resume();
    },
    cookie: () => cookie,
    send,
    json,
    createThread: async (url) => {
      const { threadId } = await json<{ readonly threadId: string }>(new URL(routes.threads(), url).href, "{}");
      return threadId;
    },
    ask: (url, threadId, pace, fields) => {
      const id = `q${Math.random().toString(36).slice(2, 10)}`;
      const question = { id, role: "user", content: JSON.stringify(pace), parentId: null, ...fields };
      return send(new URL(routes.run(threadId), url).href, JSON.stringify({ messages: [question] }));
    },
  };
}

/** Starts `count` tasks evenly over `overMs`, and resolves when all are done. */
export async function spread<T>(count: number, overMs: number, start: (n: number) => Promise<T>): Promise<T[]> {
  const begun = performance.now();
  const starting: Promise<T>[] = [];
  for (let n = 0; n < count; n += 1) {
    const wait = begun + (n * overMs) / count - performance.now();
    if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait));
    starting.push(start(n));
  }
  return await Promise.all(starting);
}
