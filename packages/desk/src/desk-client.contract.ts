import type { StreamEvent } from "@nitka/protocol";
import type { Project, Storage } from "@nitka/server";
import { ORIGIN } from "@nitka/server/test-kit";
import type { LogLine } from "@nitka/server/test-kit";
import { createDesk } from "./create-desk.ts";
import type { DeskOptions } from "./create-desk.ts";

export const KEY = "a key of sixteen letters";

/** A desk, and an operator's browser that uses it. */
export class DeskClient {
  readonly log: LogLine[] = [];
  readonly #desk: ReturnType<typeof createDesk>;
  cookie: string | undefined;

  constructor(options: Omit<DeskOptions, "key" | "log">) {
    const line = (level: LogLine["level"]) => (fields: LogLine["fields"], text: string) => {
      this.log.push({ level, text, fields });
    };
    const log = { info: line("info"), warn: line("warn"), error: line("error") };
    this.#desk = createDesk({ clientAddress: () => "192.0.2.9", ...options, key: KEY, log });
  }

  /** @param path under the desk's API */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.cookie !== undefined) headers.set("cookie", this.cookie);
    const response = await this.#desk.fetch(new Request(`${ORIGIN}/desk/api${path}`, { ...init, headers }));
    const cookie = response?.headers.get("set-cookie")?.split(";", 1)[0];
    if (cookie !== undefined) this.cookie = cookie;
    return response ?? new Response("There is no such path.", { status: 404 });
  }

  signIn(key = KEY): Promise<Response> {
    const headers = { "content-type": "application/json" };
    return this.fetch("/session", { method: "POST", headers, body: JSON.stringify({ key }) });
  }

  async get<Value>(path: string): Promise<Value> {
    const response = await this.fetch(path);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Value;
  }
}

/** A desk on the same database, with a signed-in operator. */
export async function deskOf(
  { storage }: { readonly storage: Storage },
  project: Partial<Project> = {},
  projects?: Readonly<Record<string, Project>>,
): Promise<DeskClient> {
  const desk = new DeskClient({ storage, projects: projects ?? { default: { models: [], ...project } } });
  await desk.signIn();
  return desk;
}

/** The log lines about conversations, without the request's id. */
export function openings({ log }: DeskClient) {
  return log.flatMap(({ text, fields }) => {
    const { projectId, threadId, runId, address } = fields;
    return threadId === undefined ? [] : [[text, { projectId, threadId, runId, address }]];
  });
}

/** A tool call whose result is a secret. */
export const toolCall: readonly StreamEvent[] = [
  { type: "tool-input-available", toolCallId: "c1", toolName: "search", input: { q: "цена" } },
  { type: "tool-output-available", toolCallId: "c1", output: "секрет" },
];
