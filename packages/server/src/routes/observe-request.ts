import { ChatError } from "../chat-error.ts";
import type { ClientNetwork } from "../http/client-address.ts";
import type { Refusal, RefusalLog } from "../http/refusal-log.ts";
import { safetyHeaders } from "../http/safety-headers.ts";
import { problemResponse } from "../http/error-response.ts";
import type { Forwarded } from "../http/forwarded.ts";
import type { Metrics } from "../http/metrics.ts";
import { describeError } from "../services/describe-error.ts";
import type { Log, LogFields } from "../services/log.ts";
import type { NewId } from "../services/new-id.ts";

export interface ObserveOptions {
  readonly logger: Log;
  readonly metrics: Pick<Metrics, "request" | "refused">;
  readonly refusals: RefusalLog;
  readonly newId: NewId;
  readonly forwarded: Pick<Forwarded, "requestId">;
}

/** How a handler adds to the request's log line. */
export interface ObservedRequest {
  readonly requestId: string;
  /** Adds fields to the request's line in the log, such as its visitor's id. */
  readonly note: (fields: LogFields) => void;
  /** Counts an error as a refusal if a limit is its cause. It then appears in the log of refusals. */
  readonly refused: (error: unknown, networks: readonly ClientNetwork[]) => void;
}

export interface ObservedRoute {
  readonly request: Request;
  /** The path's pattern, which names the request in logs and metrics. */
  readonly route: string;
  /** For pages that are read every few seconds: only failed requests are logged. */
  readonly quiet?: boolean;
}

/** Gives a request its id, its metrics and its log line. Never rejects: an error becomes a response. */
export async function observeRequest(
  { logger, metrics, refusals, newId, forwarded }: ObserveOptions,
  { request, route, quiet = false }: ObservedRoute,
  handle: (observed: ObservedRequest) => Promise<Response>,
): Promise<Response> {
  const start = performance.now();
  const { method } = request;
  const requestId = forwarded.requestId(request) ?? newId("request");
  let noted: LogFields = {};
  const note = (fields: LogFields) => {
    noted = { ...noted, ...fields };
  };
  let refusal: Refusal | undefined;
  const refused: ObservedRequest["refused"] = (error, networks) => {
    if (!(error instanceof ChatError) || error.limit === undefined) return;
    refusal = { code: error.code, limit: error.limit, networks };
  };
  let response: Response;
  try {
    response = await handle({ requestId, note, refused });
  } catch (error) {
    logger.error({ requestId, route, error: describeError(error) }, "a request could not be answered");
    response = problemResponse(error, { ...safetyHeaders, "x-request-id": requestId });
  }
  const seconds = (performance.now() - start) / 1000;
  const { status } = response;
  metrics.request({ method: countedMethods.has(method) ? method : "other", route, status, seconds });
  const fields = { requestId, method, route, status, ms: Math.round(seconds * 1000), ...noted };
  if (refusal) {
    metrics.refused(refusal);
    refusals.add(refusal, fields);
  } else if (!quiet || status >= 400) logger.info(fields, "request");
  return response;
}

/** A client may send any word as its method. Each label is a time series, so other methods share one label. */
const countedMethods = new Set(["GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"]);
