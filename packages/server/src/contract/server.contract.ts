import { afterEach } from "vitest";
import type { Message, Thread } from "@nitka/protocol";
import { createChatServer } from "../create-chat-server.ts";
import type { ChatServer } from "../create-chat-server.ts";
import type { Log } from "../services/log.ts";
import type { Project } from "../services/projects/project.ts";
import type { Model } from "../model/model.ts";
import { createScriptedModel, saying } from "../model/testing/scripted-model.ts";
import type { ChatServerOptions } from "../options.ts";
import { openSqliteStorage } from "../storage/sqlite.ts";
import type { Storage } from "../storage/storage.ts";

export const ORIGIN = "http://nitka.test";

/** A model that answers «Привет» and titles threads «Приветствие». */
export const greeter = createScriptedModel({ script: saying("При", "вет"), title: "Приветствие" });

/** A line that the server has logged. */
export interface LogLine {
  readonly level: "info" | "warn" | "error";
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface Opened {
  readonly server: ChatServer;
  readonly storage: Storage;
  readonly log: readonly LogLine[];
  /** A new visitor with a cookie. */
  readonly visitor: (projectId?: string) => Promise<Client>;
}

export interface OpenOptions extends Partial<Omit<ChatServerOptions, "projects" | "storage">> {
  readonly project?: Partial<Project>;
  readonly projects?: Readonly<Record<string, Project>>;
  readonly model?: Model;
  readonly storage?: Storage;
}

/** Opens servers for a test, and closes them after it. */
export function serverOpener(): (options?: OpenOptions) => Promise<Opened> {
  const closes: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closes.splice(0).toReversed()) await close();
  });

  return async ({ project, projects, model = greeter, storage: given, ...options } = {}) => {
    const storage = given ?? (await openSqliteStorage({ path: ":memory:" }));
    if (!given) closes.push(() => storage.close());
    const lines: LogLine[] = [];
    const server = createChatServer({
      storage,
      projects: projects ?? { default: { models: [model], ...project } },
      secret: "a secret of sixteen letters",
      log: recorder(lines),
      clientAddress: () => "192.0.2.1",
      ...options,
      timings: { graceMs: 0, ...options.timings },
    });
    closes.push(() => server.close());
    return {
      server,
      storage,
      log: lines,
      async visitor(projectId = "default") {
        const client = new Client(server, projectId);
        await client.get(`/api/projects/${projectId}/config`);
        return client;
      },
    };
  };
}

function recorder(lines: LogLine[]): Log {
  const record = (level: LogLine["level"]) => (fields: LogLine["fields"], text: string) => {
    lines.push({ level, text, fields });
  };
  return { info: record("info"), warn: record("warn"), error: record("error") };
}

/** One browser, with its cookie. */
export class Client {
  readonly #server: ChatServer;
  readonly #base: string;
  cookie: string | undefined;

  constructor(server: ChatServer, projectId = "default", cookie?: string) {
    this.#server = server;
    this.#base = projectId === "default" ? "/api/debug" : `/p/${projectId}/api/debug`;
    this.cookie = cookie;
  }

  /** @param path under the project's `/api/debug`, or from the root with `/api` */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.cookie !== undefined) headers.set("cookie", this.cookie);
    const url = ORIGIN + (path.startsWith("/") ? path : `${this.#base}/${path}`);
    const response = await this.#server.fetch(new Request(url, { ...init, headers }));
    const cookie = response.headers.get("set-cookie")?.split(";", 1)[0];
    if (cookie !== undefined) this.cookie = cookie;
    return response;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.fetch(path, { headers });
  }

  post(path: string, body: unknown, init: RequestInit = {}): Promise<Response> {
    const headers = { "content-type": "application/json", ...(init.headers as Record<string, string> | undefined) };
    return this.fetch(path, { method: "POST", body: JSON.stringify(body), ...init, headers });
  }

  async newThread(): Promise<string> {
    const { threadId } = (await (await this.post("threads", {})).json()) as Thread;
    return threadId;
  }

  async threads(): Promise<readonly Thread[]> {
    return (await (await this.get("threads")).json()) as readonly Thread[];
  }

  async messages(threadId: string): Promise<readonly Message[]> {
    return (await (await this.get(`threads/${threadId}/messages`)).json()) as readonly Message[];
  }

  /** Sends a question and returns the response, whose stream is not read yet. */
  ask(threadId: string, question: Partial<Message> & { readonly id: string }, more: object = {}, query = "") {
    const message = { role: "user", content: "Привет", ...question };
    return this.post(`threads/${threadId}/run/stream${query}`, { messages: [message], ...more });
  }

  join(threadId: string, query = "", headers: Record<string, string> = {}): Promise<Response> {
    return this.get(`threads/${threadId}/run/stream${query}`, headers);
  }

  async upload(threadId: string, file: File): Promise<Response> {
    const form = new FormData();
    form.set("file", file);
    return this.fetch(`threads/${threadId}/attachments`, { method: "POST", body: form });
  }
}

/** A frame of a stream: its `data:` line, and its `id:` line if it has one. */
export interface Frame {
  readonly id?: string;
  readonly data: unknown;
}

/** Reads a stream to its end. */
export async function framesOf(response: Response): Promise<readonly Frame[]> {
  return parseFrames(await response.text());
}

/** The events of a complete stream, with `[DONE]` as the last one. */
export async function eventsOf(response: Response): Promise<readonly unknown[]> {
  return (await framesOf(response)).map(({ data }) => data);
}

export function parseFrames(text: string): readonly Frame[] {
  return text
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => {
      const lines = frame.split("\n");
      const id = lines.find((line) => line.startsWith("id: "))?.slice(4);
      const data = lines.find((line) => line.startsWith("data: "))?.slice(6) ?? "";
      const value: unknown = data === "[DONE]" ? data : JSON.parse(data);
      return id === undefined ? { data: value } : { id, data: value };
    });
}

/** The `seq` of an event, from the frame's id. */
export function seqOf({ id }: Frame): number | undefined {
  return id === undefined ? undefined : Number(id.split(":")[1]);
}

/** Reads a stream as it arrives: returns the text so far and a function that closes it. */
export function tap(response: Response): {
  readonly text: () => string;
  readonly done: Promise<void>;
  cut(): Promise<void>;
} {
  if (!response.body) throw new Error(`There is no stream: ${response.status}`);
  const reader = response.body.getReader();
  const utf8 = new TextDecoder();
  let text = "";
  const done = (async () => {
    for (;;) {
      const { done: over, value } = await reader.read();
      if (over) return;
      text += utf8.decode(value, { stream: true });
    }
  })();
  done.catch(() => undefined);
  return { text: () => text, done, cut: () => reader.cancel() };
}

/** The status and the code of an error response. */
export async function refusalOf(response: Response): Promise<string> {
  const { error } = (await response.json()) as { readonly error: { readonly code: string } };
  return `${response.status} ${error.code}`;
}
