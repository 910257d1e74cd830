import { safetyHeaders } from "../http/safety-headers.ts";
import { toErrorReply } from "../http/error-response.ts";
import type { Metrics } from "../http/metrics.ts";
import { describeError } from "../services/describe-error.ts";
import type { Log, LogFields } from "../services/log.ts";
import type { NewId } from "../services/new-id.ts";

export interface ObserveOptions {
  readonly log: Log;
  readonly metrics: Pick<Metrics, "request">;
  readonly newId: NewId;
}

/** A request while it is answered. */
export interface ObservedRequest {
  readonly requestId: string;
  /** Adds to its line in the log: whose it is. */
  readonly note: (fields: LogFields) => void;
}

export interface ObservedRoute {
  readonly request: Request;
  readonly route: string;
  /** Asked for every few seconds: only what goes wrong has a line in the log. */
  readonly quiet?: boolean;
}

/** A request with its id, its figures and its line in the log; and with an answer, whatever happens. */
export async function observed(
  { log, metrics, newId }: ObserveOptions,
  { request, route, quiet = false }: ObservedRoute,
  answer: (observed: ObservedRequest) => Promise<Response>,
): Promise<Response> {
  const start = performance.now();
  const { method } = request;
  const requestId = idOf(request) ?? newId("request");
  let noted: LogFields = {};
  const note = (fields: LogFields) => {
    noted = { ...noted, ...fields };
  };
  let response: Response;
  try {
    response = await answer({ requestId, note });
  } catch (error) {
    log.error({ requestId, route, error: describeError(error) }, "a request could not be answered");
    const { status, problem } = toErrorReply(error);
    response = Response.json(problem, { status, headers: { ...safetyHeaders, "x-request-id": requestId } });
  }
  const seconds = (performance.now() - start) / 1000;
  const { status } = response;
  metrics.request({ method: known.has(method) ? method : "other", route, status, seconds });
  if (quiet && status < 400) return response;
  log.info({ requestId, method, route, status, ms: Math.round(seconds * 1000), ...noted }, "request");
  return response;
}

/** Anybody may invent methods: what is counted stays few. */
const known = new Set(["GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"]);

/** The id that a proxy in front gave, so that both logs can be read together. */
function idOf(request: Request): string | undefined {
  const id = request.headers.get("x-request-id");
  return id !== null && /^[\w.:-]{1,64}$/.test(id) ? id : undefined;
}
