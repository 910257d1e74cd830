/** A page's `fetch` to a scripted backend, over a network of which anything may come to harm. */
import { DONE, encodeSse } from "@nitka/protocol/sse";
import { HttpError } from "../transport/http-error.ts";
import { respondScripted } from "../transport/scripted-routes.ts";
import type { RunStream, Transport } from "../transport/transport.ts";
import type { ScriptedClock } from "./scripted-clock.ts";
import type { ScriptedRandom } from "./scripted-random.ts";

export interface ScriptedNetwork {
  readonly fetch: typeof fetch;
  /** The ids of questions that were posted: the backend may have heard them, whatever their client was told. */
  readonly posted: ReadonlySet<string>;
  /** How many calls have been made. */
  calls(): number;
  /** From now on nothing comes to harm. */
  calm(): void;
}

interface NetworkOptions {
  readonly backend: Transport;
  readonly config: () => object;
  readonly clock: ScriptedClock;
  readonly random: ScriptedRandom;
  /** The share of calls that come to harm. */
  readonly faults: number;
  /** Hears of each call, and of what comes of it. */
  readonly note: (text: string) => void;
  /** Whether the backend takes a call's token. */
  readonly accepts: (token: string | null) => boolean;
}

const never = new Promise<never>(() => undefined);

/** What comes between a call and its answer; the first four before the backend hears of it, the others after. */
type Fault = "refused" | "unreachable" | "held" | "late" | "lost" | "withheld" | "slow" | "garbled";

export function createScriptedNetwork(options: NetworkOptions): ScriptedNetwork {
  const { backend, clock, random, accepts } = options;
  let { faults } = options;
  let calls = 0;
  const posted = new Set<string>();
  const wait = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve));

  const fault = (): Fault | undefined =>
    random.chance(faults)
      ? random.pick(["refused", "unreachable", "held", "late", "lost", "withheld", "slow", "garbled"])
      : undefined;

  const answer = async (url: string, init: RequestInit, signal: AbortSignal): Promise<Response> => {
    const harm = fault();
    options.note(`${init.method ?? "GET"} ${new URL(url).pathname.replace("/api/debug/", "")} ${harm ?? ""}`);
    await wait(random.pick([0, 1, 5, 80]));
    if (harm === "refused") return problem(random.pick([400, 403, 429, 500, 502, 503]), "broken");
    if (harm === "unreachable") throw new TypeError("fetch failed");
    if (harm === "held") return never;
    if (harm === "late") await wait(random.pick([300, 4000, 40_000]));
    const made = await serve(url, init, signal);
    if (harm === "lost") throw new TypeError("network error");
    if (harm === "withheld") return never;
    if (harm === "slow") await wait(random.pick([300, 4000, 40_000]));
    return harm === "garbled" && made.ok && made.body === null ? json("<html>", 200) : made;
  };

  const serve = async (url: string, init: RequestInit, signal: AbortSignal): Promise<Response> => {
    if (url.endsWith("/config")) return json(options.config());
    if (!accepts(new Headers(init.headers).get("authorization"))) return problem(401, "unauthorized");
    const { pathname, search } = new URL(url);
    const request = { method: init.method ?? "GET", url: pathname + search, body: textOf(init) };
    try {
      const answered = await respondScripted(backend, request, signal);
      if (answered.type === "json") return json(answered.value ?? {});
      return answered.run ? streamed(answered.run, signal) : json(null, 204);
    } catch (error) {
      if (error instanceof HttpError) return problem(error.status, error.code ?? "");
      throw error;
    }
  };

  return {
    posted,
    calls: () => calls,
    calm() {
      faults = 0;
    },
    async fetch(input, init = {}) {
      const signal = init.signal ?? new AbortController().signal;
      signal.throwIfAborted();
      calls += 1;
      const [, id] = /^\{"messages":\[\{"id":"([^"]+)"/.exec(textOf(init)) ?? [];
      if (id !== undefined) posted.add(id);
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      });
      return Promise.race([answer(input as string, init, signal), aborted]);
    },
  };
}

function textOf({ body }: RequestInit): string {
  return typeof body === "string" ? body : "";
}

function json(value: unknown, status = 200): Response {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return responseOf({ status, body: null, text: async () => text, json: async () => JSON.parse(text) as unknown });
}

function problem(status: number, code: string): Response {
  return json({ error: { code, message: "сломалось" } }, status);
}

function streamed(run: RunStream, signal: AbortSignal): Response {
  const utf8 = new TextEncoder();
  const breath = async () => {
    for (let tick = 0; tick < 5; tick += 1) await Promise.resolve();
    return undefined;
  };
  let coming: ReturnType<RunStream["next"]> | undefined;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      signal.addEventListener("abort", () => controller.error(signal.reason));
    },
    async pull(controller) {
      // What is said at once arrives at once.
      let text = "";
      for (;;) {
        const next = await Promise.race([(coming ??= run.next()), text === "" ? never : breath()]);
        if (signal.aborted) return;
        if (next === undefined) break;
        coming = undefined;
        if (next.done) {
          controller.enqueue(utf8.encode(text + (next.value ? encodeSse(DONE) : "")));
          return controller.close();
        }
        text += encodeSse(JSON.stringify(next.value.event), next.value.id);
      }
      controller.enqueue(utf8.encode(text));
    },
  });
  return responseOf({ status: 200, body, text: async () => "", json: async () => ({}) });
}

/** As much of a response as the widget looks at: a whole one costs more than all the rest of a call. */
function responseOf(parts: Pick<Response, "status" | "body" | "text" | "json">): Response {
  return { ...parts, ok: parts.status < 300, statusText: "" } as Response;
}
