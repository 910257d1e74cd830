import type { Message, ServerConfig, Thread } from "@nitka/protocol";
import { randomId } from "@nitka/protocol/random-id";
import { configRoute, routes, visitorRoute } from "@nitka/protocol/routes";
import { z } from "zod";
import { demand, excerpt, jsonOf, NotCheckable } from "./nonconformance.ts";
import { readRun } from "./run-reader.ts";
import type { RunReader } from "./run-reader.ts";
import type { Exchange, Visitor } from "./visitor.ts";
import { createVisitor } from "./visitor.ts";
import { messageForm, threadForm } from "./wire-forms.ts";

export interface SessionOptions {
  /** The widget's `proxyUrl`, with a slash at its end. */
  readonly proxyUrl: URL;
  readonly projectId: string;
  /** The host's token, which identifies the visitor. Without it the checks use anonymous visitors. */
  readonly token?: string | undefined;
  /**
   * The origin of the page that shows the widget, if it differs from the backend's, for example `https://shop.example`.
   */
  readonly page?: string | undefined;
  /**
   * The longest silence, in milliseconds, in the streams of a backend with `resume`.
   *
   * @default 45_000, the time that the widget waits
   */
  readonly silenceMs?: number | undefined;
  /**
   * The time limit in milliseconds for the beginning of a response, and for its end if it is not a stream.
   *
   * @default 30_000
   */
  readonly responseMs?: number | undefined;
}

/** The fields of a question besides its text. */
export interface AskOptions {
  readonly id?: string;
  readonly parentId?: string | null;
  readonly attachments?: readonly unknown[];
  /** Further fields of the body. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Whether the events should have ids. */
  readonly withIds?: boolean;
}

/** A conversation of one question: the stream, and the stored history. */
export interface Talk {
  readonly threadId: string;
  readonly questionId: string;
  readonly question: string;
  readonly run: RunReader;
  /** The response with the history after the stream's end. */
  readonly history: Exchange;
}

/** Questions that every model answers with more than one word, with the length that a check needs. */
export const questions = {
  short: "Reply with one short sentence: what is a teapot?",
  second: "And what is a cup? One short sentence.",
  tool: "Положи в корзину синюю кружку",
  long: "Write an essay of about 400 words about tea.",
} as const;

/** The state of the checks: the visitors, known results, and what has to be cleaned up. */
export class Session {
  readonly #options: SessionOptions;
  readonly #made: { readonly visitor: Visitor; readonly threadId: string }[] = [];
  readonly #visitors: Visitor[] = [];
  readonly #runs: RunReader[] = [];
  readonly #results = new Map<string, Promise<unknown>>();
  readonly visitor: Visitor;
  api: URL;
  config: ServerConfig = {};

  constructor(options: SessionOptions) {
    this.#options = options;
    this.api = options.proxyUrl;
    this.visitor = createVisitor(options);
  }

  /** The origin of the page that shows the widget; `undefined` when none is given. */
  get page(): string | undefined {
    return this.#options.page;
  }

  get silenceMs(): number {
    return this.#options.silenceMs ?? 45_000;
  }

  /** All streams that were read. */
  get runs(): readonly RunReader[] {
    return this.#runs;
  }

  get hasToken(): boolean {
    return this.#options.token !== undefined;
  }

  configUrl(): URL {
    return new URL(configRoute(this.#options.projectId), this.#options.proxyUrl);
  }

  url(path: string): URL {
    return new URL(path, this.api);
  }

  /** Stores the config, and uses its visitor token and its API base. */
  useConfig(config: ServerConfig): void {
    this.config = config;
    this.api = new URL(`${(config.apiBase ?? "/").replace(/\/+$/, "")}/`, this.#options.proxyUrl);
    if (config.visitor?.token !== undefined) this.visitor.useToken(config.visitor.token);
  }

  /** Makes another, anonymous visitor. */
  async newVisitor(): Promise<Visitor> {
    const visitor = createVisitor({ page: this.page, responseMs: this.#options.responseMs });
    const { text } = await visitor.send("GET", this.configUrl());
    const config = jsonOf(text) as ServerConfig | undefined;
    if (config?.visitor?.token !== undefined) visitor.useToken(config.visitor.token);
    this.#visitors.push(visitor);
    return visitor;
  }

  async newThread(visitor = this.visitor): Promise<Thread> {
    const created = await visitor.send("POST", this.url(routes.threads()), { json: {} });
    const thread = parsed(created, threadForm) as Thread;
    this.#made.push({ visitor, threadId: thread.threadId });
    return thread;
  }

  /** The list's entry for the thread with this id. */
  async listed(threadId: string, visitor = this.visitor): Promise<Thread | undefined> {
    const list = await visitor.send("GET", this.url(routes.threads()));
    return (parsed(list, z.array(threadForm)) as Thread[]).find((thread) => thread.threadId === threadId);
  }

  history(threadId: string, visitor = this.visitor): Promise<Exchange> {
    return visitor.send("GET", this.url(routes.messages(threadId)));
  }

  /** The stored messages of a thread. */
  async messages(threadId: string): Promise<readonly Message[]> {
    return messagesOf(await this.history(threadId));
  }

  /** Asks, and returns the stream before it is read. */
  async ask(threadId: string, text: string, options: AskOptions = {}): Promise<RunReader> {
    const { id = randomId(), parentId, attachments, body, withIds = false } = options;
    const question = {
      id,
      role: "user",
      content: text,
      ...(parentId !== undefined && { parentId }),
      ...(attachments && { attachments }),
    };
    const url = this.url(`${routes.run(threadId)}${withIds ? "?cursor=1" : ""}`);
    const json = { messages: [question], ...body };
    const run = await readRun(await this.visitor.open("POST", url, { json, headers: { accept: "text/event-stream" } }));
    this.#runs.push(run);
    return run;
  }

  /** The conversation that most checks use: one question that a model has answered once. */
  talk(): Promise<Talk> {
    return this.once("talk", async () => {
      const { threadId } = await this.newThread();
      const questionId = randomId();
      const question = questions.short;
      const run = await (await this.ask(threadId, question, { id: questionId })).rest();
      return { threadId, questionId, question, run, history: await this.history(threadId) };
    });
  }

  /**
   * The result of work that several checks share. If it fails, the first check reports that, and the others are
   * skipped.
   */
  once<T>(name: string, work: () => Promise<T>): Promise<T> {
    const known = this.#results.get(name) as Promise<T> | undefined;
    if (known) {
      return known.catch(() => {
        throw new NotCheckable("an earlier check of the same request failed: see above");
      });
    }
    const result = work();
    this.#results.set(name, result);
    return result;
  }

  /** Archives every thread that was made, and erases the anonymous visitors if the backend supports it. */
  async cleanUp(): Promise<readonly string[]> {
    const problems: string[] = [];
    for (const { visitor, threadId } of this.#made) {
      const { status } = await visitor
        .send("POST", this.url(routes.archive(threadId)), { json: {} })
        .catch(() => ({ status: 0 }));
      if (status >= 500 || status === 0) problems.push(`The thread ${threadId} could not be archived.`);
    }
    if (this.config.features?.erase === true) {
      // A visitor whom the host's token identifies has other threads too.
      const anonymous = this.hasToken ? this.#visitors : [this.visitor, ...this.#visitors];
      for (const visitor of anonymous) {
        await visitor.send("DELETE", this.url(visitorRoute)).catch(() => undefined);
      }
    }
    return problems;
  }
}

/** The stored messages in a response. */
export function messagesOf(exchange: Exchange): readonly Message[] {
  return parsed(exchange, z.array(messageForm)) as readonly Message[];
}

/** The JSON of a successful response, which must match this form. */
export function parsed<T>(exchange: Exchange, form: z.ZodType<T>): T {
  const { request, status, text } = exchange;
  demand(status >= 200 && status < 300, request, "a successful response", `${status}: ${excerpt(text)}`);
  const value = jsonOf(text);
  demand(value !== undefined, request, "JSON", excerpt(text) || "an empty body");
  const result = form.safeParse(value);
  const [issue] = result.error?.issues ?? [];
  const path = issue?.path.map(String).join(".") ?? "";
  demand(
    result.success,
    request,
    "the type of the protocol",
    `${path && `${path}: `}${issue?.message}, in ${excerpt(text)}`,
  );
  // The original value, because a form drops the fields that it does not list.
  return value as T;
}
