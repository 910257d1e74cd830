/** A page's `fetch` to a scripted backend, over a network with random faults. */
import { DONE, encodeSse } from "@nitka/protocol/sse";
import { HttpError } from "../transport/http-error.ts";
import { respondScripted } from "../transport/scripted-routes.ts";
import type { RunStream, Transport } from "../transport/transport.ts";
import type { ScriptedClock } from "./scripted-clock.ts";
import type { ScriptedRandom } from "./scripted-random.ts";

export interface ScriptedNetwork {
  readonly fetch: typeof fetch;
  /** The ids of posted questions. The backend may have received them, whatever the response was. */
  readonly posted: ReadonlySet<string>;
  /** The number of requests that were made. */
  calls(): number;
  /** From now on there are no faults. */
  calm(): void;
}

interface NetworkOptions {
  readonly backend: Transport;
  readonly config: () => object;
  readonly clock: ScriptedClock;
  readonly random: ScriptedRandom;
  /** The share of requests with a fault. */
  readonly faults: number;
  /** Called with a description of each request and its fault. */
  readonly note: (text: string) => void;
  /** Whether the backend accepts a request's token. */
  readonly accepts: (token: string | null) => boolean;
}

const never = new Promise<never>(() => undefined);

/** What happens to a request. The first four happen before it reaches the backend, the others to its response. */
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

  const respond = async (url: string, init: RequestInit, signal: AbortSignal): Promise<Response> => {
    const failing = fault();
    options.note(`${init.method ?? "GET"} ${new URL(url).pathname.replace("/api/debug/", "")} ${failing ?? ""}`);
    await wait(random.pick([0, 1, 5, 80]));
    if (failing === "refused") return problem(random.pick([400, 403, 408, 429, 500, 502, 503, 529]), "broken");
    if (failing === "unreachable") throw new TypeError("fetch failed");
    if (failing === "held") return never;
    if (failing === "late") await wait(random.pick([300, 4000, 40_000]));
    const made = await serve(url, init, signal);
    if (failing === "lost") throw new TypeError("network error");
    if (failing === "withheld") return never;
    if (failing === "slow") await wait(random.pick([300, 4000, 40_000]));
    return failing === "garbled" && made.ok && made.body === null ? json("<html>", 200) : made;
  };

  const serve = async (url: string, init: RequestInit, signal: AbortSignal): Promise<Response> => {
    if (url.endsWith("/config")) return json(options.config());
    if (!accepts(new Headers(init.headers).get("authorization"))) return problem(401, "unauthorized");
    const { pathname, search } = new URL(url);
    const request = { method: init.method ?? "GET", url: pathname + search, body: textOf(init) };
    try {
      const result = await respondScripted(backend, request, signal);
      if (result.type === "json") return json(result.value ?? {});
      return result.run ? streamed(result.run, signal) : json(null, 204);
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
      return Promise.race([respond(input as string, init, signal), aborted]);
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
  const afterTicks = async () => {
    for (let tick = 0; tick < 5; tick += 1) await Promise.resolve();
    return undefined;
  };
  let coming: ReturnType<RunStream["next"]> | undefined;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      signal.addEventListener("abort", () => controller.error(signal.reason));
    },
    async pull(controller) {
      // Events that are written together arrive in one chunk.
      let text = "";
      for (;;) {
        const next = await Promise.race([(coming ??= run.next()), text === "" ? never : afterTicks()]);
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

/** The fields of a response that the widget reads. A real response would take most of the test's time. */
function responseOf(parts: Pick<Response, "status" | "body" | "text" | "json">): Response {
  return { ...parts, ok: parts.status < 300, statusText: "", headers: new Headers() } as Response;
}
