/** A visitor of a life: a browser with its cookie or the host's token, whose pages ask, read and rejoin like the widget's. */
import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Attachment } from "@nitka/protocol";
import { HOST_SECRET } from "./instance.ts";
import type { Instance } from "./instance.ts";
import { readRun } from "./read-run.ts";
import type { RunReading, WaitingCall } from "./read-run.ts";
import { PIXEL } from "./scripted-upstream.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { newTold } from "./told.ts";
import type { Told, ToldQuestion, ToldThread } from "./told.ts";

const ORIGIN = "http://lives.test";

export const DEFAULT_PROJECT = "default";

export interface VisitorOptions {
  readonly name: string;
  readonly projectId: string;
  readonly random: SeededRandom;
  /** A live instance, as a load balancer would choose it; `undefined` while there is none. */
  readonly anyInstance: () => Instance | undefined;
  readonly note: (text: string) => void;
  readonly wrong: (text: string) => void;
  /** Whether nothing has failed so far. Then every request gets a response without a server error. */
  readonly isCalm: () => boolean;
  /** The ids of the files in the server's store. */
  readonly storedFiles: () => readonly string[];
  /** Aborts when nobody acts any more. */
  readonly over: AbortSignal;
}

export interface SentRequest {
  readonly method?: "POST" | "DELETE";
  readonly json?: unknown;
  readonly form?: FormData;
  readonly on?: Instance;
}

/** The browser of one visitor. */
export class Visitor {
  readonly name: string;
  told: Told = newTold();
  /** What the visitor was told before each erasure. */
  readonly erased: Told[] = [];
  /** The cookies of the visitor before it was erased or named. They own nothing any more. */
  readonly formerCookies: string[] = [];
  /** How many times its pages have run a tool, by the call's id. */
  readonly executed = new Map<string, number>();
  /** The calls that it may have allowed, and those with a confirmed denial. */
  readonly allowed = new Set<string>();
  readonly denied = new Set<string>();
  /** The confirmed outputs of its pages, by the call's id. */
  readonly outputs = new Map<string, string>();
  readonly random: SeededRandom;
  readonly #options: VisitorOptions;
  /** The streams that its pages read, each with a promise that resolves when it is over, joined again or given up. */
  readonly #readings = new Map<RunReading, Promise<void>>();
  readonly #atPage: SeededRandom;
  #cookie: string | undefined;
  #token: string | undefined;

  constructor(options: VisitorOptions) {
    this.#options = options;
    this.name = options.name;
    this.random = options.random;
    this.#atPage = options.random.fork();
  }

  get isNamed(): boolean {
    return this.#token !== undefined;
  }

  /** The host names the visitor from now on. */
  logIn(): void {
    if (this.#cookie !== undefined) this.formerCookies.push(this.#cookie);
    this.#token = hostToken(this.name);
  }

  /** The visitor was erased and acts as another visitor from now on. */
  forget(): void {
    if (this.#cookie !== undefined && !this.#token) this.formerCookies.push(this.#cookie);
    if (!this.#token) this.#cookie = undefined;
    this.erased.push(this.told);
    this.told = newTold();
  }

  /** Repeats the request whose response was lost. Returns whether there is a response now. */
  async settle(): Promise<boolean> {
    const { unsettled } = this.told;
    if (unsettled === "claim" && (await this.status("visitor/claim", { method: "POST", json: {} })) === 200) {
      this.told.unsettled = undefined;
    }
    if (unsettled === "erase" && (await this.status("visitor", { method: "DELETE" })) === 204) {
      this.#judgeErased();
      this.told.unsettled = undefined;
      this.forget();
    }
    return this.told.unsettled === undefined;
  }

  /** When an erasure is confirmed the files are gone, without waiting for a sweep. */
  #judgeErased(): void {
    const stored = new Set(this.#options.storedFiles());
    for (const { id, files } of this.told.threads.values()) {
      for (const file of files) {
        if (stored.has(file)) this.#options.wrong(`${this.name} is erased, and the file ${file} of ${id} is left`);
      }
    }
  }

  /** Resolves to `undefined` if there was no response. */
  async request(path: string, { method, json, form, on }: SentRequest = {}): Promise<Response | undefined> {
    const instance = on ?? this.#options.anyInstance();
    if (!instance) return undefined;
    const headers = new Headers();
    if (this.#cookie !== undefined) headers.set("cookie", this.#cookie);
    if (this.#token) headers.set("authorization", `Bearer ${this.#token}`);
    if (json !== undefined) headers.set("content-type", "application/json");
    const { projectId } = this.#options;
    const base = projectId === DEFAULT_PROJECT ? ORIGIN : `${ORIGIN}/p/${projectId}`;
    const url = base + (path.startsWith("/") ? path : `/api/debug/${path}`);
    try {
      const body = json === undefined ? form : JSON.stringify(json);
      const response = await instance.fetch(
        new Request(url, { ...(method && { method }), headers, ...(body !== undefined && { body }) }),
      );
      if (response.status >= 500 && this.#options.isCalm()) {
        this.#options.wrong(`${this.name} gets ${response.status} from ${path}, and nothing has failed`);
      }
      const [set] = response.headers.get("set-cookie")?.split(";", 1) ?? [];
      if (set !== undefined && set.split("=")[1] !== "" && !this.#token) this.#cookie = set;
      return response;
    } catch {
      if (this.#options.isCalm()) this.#options.wrong(`${this.name} gets no response from ${path}`);
      return undefined;
    }
  }

  /** Makes a request with one of its former cookies. */
  async asFormer(cookie: string, path: string): Promise<unknown> {
    const response = await this.#options
      .anyInstance()
      ?.fetch(new Request(`${ORIGIN}/api/debug/${path}`, { headers: { cookie } }));
    return response?.json();
  }

  /** The body of a response with status 200. */
  async json<T>(path: string, init?: SentRequest): Promise<T | undefined> {
    const response = await this.request(path, init);
    try {
      if (response?.status === 200) return (await response.json()) as T;
      await response?.body?.cancel();
    } catch {
      // The instance died while the body was being read.
    }
    return undefined;
  }

  /** The status of a response; `undefined` if there was none. */
  async status(path: string, init: SentRequest): Promise<number | undefined> {
    const response = await this.request(path, init);
    await response?.body?.cancel().catch(() => undefined);
    return response?.status;
  }

  /** Uploads a file for a later question. */
  async upload(thread: ToldThread): Promise<void> {
    const form = new FormData();
    form.set("file", new File([Buffer.from(PIXEL, "base64")], "точка.png", { type: "image/png" }));
    const file = await this.json<Attachment>(`threads/${thread.id}/attachments`, { method: "POST", form });
    this.#options.note(`${this.name} uploads to ${thread.id}: ${file?.id ?? "lost"}`);
    if (!file) return;
    thread.files.add(file.id);
    thread.unsent = [...thread.unsent, file];
  }

  /** Sends a question and reads its stream in the background. */
  async ask(thread: ToldThread, question: ToldQuestion, trigger?: "regenerate-message"): Promise<void> {
    const { note } = this.#options;
    const { id, parentId, content, files } = question;
    if (trigger) question.regenerations += 1;
    const messages = [{ id, role: "user", content, parentId, ...(files.length > 0 && { attachments: files }) }];
    const json = { messages, tools: [pageTool], ...(trigger && { trigger }) };
    const response = await this.request(`threads/${thread.id}/run/stream?cursor=1`, { method: "POST", json });
    note(
      `${this.name} ${trigger ?? "asks"} «${content}» after ${parentId} in ${thread.id}: ${response?.status ?? "lost"}`,
    );
    if (response?.status === 200) {
      question.isAcknowledged = true;
      this.#read(thread, response);
    } else await response?.body?.cancel().catch(() => undefined);
  }

  /** Joins the run of a thread, like a page that opens. */
  async join(thread: ToldThread, before?: RunReading): Promise<number | undefined> {
    const after = before?.lastId();
    const query = after === undefined ? "" : `?after=${encodeURIComponent(after)}`;
    const response = await this.request(`threads/${thread.id}/run/stream${query}`);
    if (response?.status === 200) this.#read(thread, response, before);
    else await response?.body?.cancel().catch(() => undefined);
    return response?.status;
  }

  /** Closes all pages. */
  leave(): void {
    for (const reading of this.#readings.keys()) reading.cut();
  }

  /** Resolves when no page reads a stream. */
  async idle(): Promise<void> {
    while (this.#readings.size > 0) await Promise.all(this.#readings.values());
  }

  get reading(): number {
    return this.#readings.size;
  }

  #read(thread: ToldThread, response: Response, before?: RunReading): void {
    const { over, wrong, note } = this.#options;
    const page = `${this.name}.${this.#atPage.below(1e6)}`;
    const reading = readRun(response, {
      before,
      onAnswer: (answer) => thread.answers.push(answer),
      onFile: (fileId) => thread.files.add(fileId),
      onCall: (call) => void this.#answerCall(thread, page, call),
      wrong: (text) => wrong(`${this.name} in ${thread.id}: ${text}`),
    });
    // A closed page reads no further. A page whose connection breaks joins again.
    const reload = this.#atPage.chance(0.2) ? this.#atPage.below(300) : undefined;
    const timer = reload === undefined ? undefined : setTimeout(() => reading.cut(), reload);
    const ending = reading.done.then(async () => {
      clearTimeout(timer);
      for (let tries = 0; tries < 8 && !reading.isEnded() && !over.aborted; tries += 1) {
        await sleep(this.#atPage.below(150));
        const status = await this.join(thread, this.#atPage.chance(0.8) ? reading : undefined);
        note(`${this.name} joins ${thread.id} after ${reading.lastId()}: ${status ?? "lost"}`);
        if (status === 200 || status === 204 || status === 404) break;
      }
      this.#readings.delete(reading);
    });
    this.#readings.set(reading, ending);
  }

  async #answerCall(thread: ToldThread, page: string, { toolCallId, kind }: WaitingCall): Promise<void> {
    const random = this.#atPage;
    const { note, over } = this.#options;
    const what = random.below(10);
    await sleep(random.below(150));
    if (over.aborted || what === 0) return;
    const post = (json: object) => this.status(`threads/${thread.id}/run/tool`, { method: "POST", json });
    if (kind === "approval") {
      const approved = what < 7;
      if (approved) this.allowed.add(toolCallId);
      const status = await post({ toolCallId, approved });
      if (!approved && status === 200) this.denied.add(toolCallId);
      note(`${page} ${approved ? "allows" : "denies"} ${toolCallId}: ${status ?? "lost"}`);
      return;
    }
    const claimed = await post({ toolCallId, claim: page });
    note(`${page} claims ${toolCallId}: ${claimed ?? "lost"}`);
    if (claimed !== 200) return;
    if (what >= 5) {
      // The tool asks the visitor first.
      const approved = what > 5;
      note(
        `${page} ${approved ? "allows" : "denies"} ${toolCallId}: ${(await post({ toolCallId, approved })) ?? "lost"}`,
      );
      if (!approved) return;
    }
    this.executed.set(toolCallId, (this.executed.get(toolCallId) ?? 0) + 1);
    await sleep(random.below(100));
    if (over.aborted || what === 1) return;
    const outcome = what === 2 ? { errorText: `нет ${toolCallId}` } : { output: { done: toolCallId } };
    const status = await post({ toolCallId, ...outcome });
    note(`${page} answers ${toolCallId}: ${status ?? "lost"}`);
    if (status === 200 && "output" in outcome) this.outputs.set(toolCallId, JSON.stringify(outcome.output));
  }
}

/** A tool of the page. */
export const pageTool = {
  name: "buy",
  description: "Buys something",
  parameters: { type: "object", properties: { key: { type: "string" } } },
};

/** The host's JWT (RFC 7519, HS256). */
function hostToken(sub: string): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${encode({ alg: "HS256", typ: "JWT" })}.${encode({ sub, exp: Math.floor(Date.now() / 1000) + 3600 })}`;
  return `${signed}.${createHmac("sha256", HOST_SECRET).update(signed).digest("base64url")}`;
}
