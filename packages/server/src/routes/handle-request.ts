/** Checks a request, runs its operation, and turns the result into a `Response`. */
import { ServerResponse } from "node:http";
import type { z } from "zod";
import { ChatError, HostRefusal, notFound } from "../chat-error.ts";
import type { ChatErrorCode } from "../chat-error.ts";
import type { NodeBindings } from "../http/node-bindings.ts";
import type { ClientNetworks } from "../http/client-address.ts";
import { problemResponse } from "../http/error-response.ts";
import type { AddressBytes } from "../http/address-bytes.ts";
import type { Gate } from "../http/gate.ts";
import type { AdmitContext, HostChecks } from "../http/host-checks.ts";
import { piecesResponse } from "../http/pieces-response.ts";
import type { PiecesOptions } from "../http/pieces-response.ts";
import { isSmall } from "../http/read-body.ts";
import { readJson, requireSmallRest } from "../http/read-json.ts";
import {
  corsHeaders,
  forAnySite,
  preflightHeaders,
  requestOriginOf,
  requireAllowedOrigin,
} from "../http/request-origin.ts";
import { safetyHeaders } from "../http/safety-headers.ts";
import { sseHeaders, sseResponse } from "../http/sse-response.ts";
import type { Visitor, VisitorCredentials } from "../http/visitor-credentials.ts";
import type { ByteReservation } from "../services/files/byte-budget.ts";
import { DEFAULT_PROJECT } from "../services/projects/config-service.ts";
import { describeError } from "../services/describe-error.ts";
import type { Log } from "../services/log.ts";
import type { Owner } from "../services/owner.ts";
import type { ReadyProject } from "../services/projects/ready-projects.ts";
import type { ThreadService } from "../services/threads/thread-service.ts";
import type { VisitorService } from "../services/threads/visitor-service.ts";
import type { Timings } from "../services/timings.ts";
import type { ObservedRequest } from "./observe-request.ts";
import { NO_ID } from "./operation.ts";
import type { AnyOperation, OperationRequest, OperationResponse } from "./operation.ts";
import { messageId } from "./wire-schemas.ts";

export interface RequestOptions {
  readonly projects: ReadonlyMap<string, ReadyProject>;
  readonly visitors: VisitorCredentials;
  readonly gate: Gate;
  readonly hostChecks: Pick<HostChecks, "admit">;
  readonly clientNetworks: ClientNetworks;
  readonly addressBytes: AddressBytes;
  /** Checks that the thread exists before the request's body is read. */
  readonly threads: Pick<ThreadService, "require">;
  readonly requireConsent: VisitorService["requireConsent"];
  /** The most memory that an upload takes, in bytes. */
  readonly uploadBytes: number;
  readonly logger: Log;
  readonly timings: Pick<Timings, "slowReaderMs" | "slowBodyMs">;
}

/** The parameters in a request's path. */
export interface RequestPath {
  /**
   * The project in a path under `/p/`; `undefined` for other paths. Then the project is the default one, or the one
   * that a config request names.
   */
  readonly projectId: string | undefined;
  /** The `:id`, if the path has one. Not validated yet. */
  readonly id: string | undefined;
  /** The `:messageId`, if the path has one. Not validated yet. */
  readonly messageId: string | undefined;
}

export interface IncomingRequest extends ObservedRequest {
  readonly request: Request;
  readonly bindings: NodeBindings;
}

/**
 * The form of every id of a thread or an attachment. Any other text is replaced by `NO_ID`: no row has this id, while
 * an arbitrary text could make a database fail, as NUL does in Postgres.
 */
const ID = /^[\w.~-]{1,128}$/;

/**
 * Responds to one request. Errors become responses: it never rejects.
 *
 * The order matters. The gate counts a request before its method and origin are checked, so that refused requests count
 * too. The origin is checked before the visitor is identified, so that a foreign page learns nothing about a cookie.
 * The visitor and the thread are known before the body is read, so that nobody else can make the server buffer it. The
 * cookie is set last, since only an operation that succeeds admits a new visitor.
 *
 * @param group the operations of the path, one for each of its methods
 */
export async function handleRequest(
  options: RequestOptions,
  group: readonly AnyOperation[],
  path: RequestPath,
  { request, bindings, requestId, note, refused }: IncomingRequest,
): Promise<Response> {
  const headers: Record<string, string> = { ...safetyHeaders, "x-request-id": requestId };
  let reservation: ByteReservation | undefined;
  let networks: ReturnType<ClientNetworks> = [];
  try {
    networks = options.clientNetworks(request, bindings);
    const project = projectAt(options.projects, group, path);
    if (!project) {
      Object.assign(headers, forAnySite);
      options.gate.admitLight({ networks });
      throw notFound("project");
    }
    const requestOrigin = requestOriginOf(request, project.allowedOrigins);
    Object.assign(headers, corsHeaders(requestOrigin), {
      "cross-origin-resource-policy": project.allowedOrigins.size > 0 ? "cross-origin" : "same-origin",
    });
    const methods = ["OPTIONS", ...group.flatMap(({ method }) => (method === "GET" ? [method, "HEAD"] : [method]))];
    const from = { project, networks };
    if (request.method === "OPTIONS") {
      options.gate.admitLight(from);
      return new Response(null, { status: 204, headers: { ...headers, ...preflightHeaders(requestOrigin, methods) } });
    }
    options.gate.admitRequest(from);
    const operation = group.find(({ method }) => method === (request.method === "HEAD" ? "GET" : request.method));
    if (!operation) {
      headers["allow"] = methods.join(", ");
      throw new ChatError("method_not_allowed", `This address takes ${methods.join(", ")}.`);
    }
    if (operation.method !== "GET") requireAllowedOrigin(requestOrigin);
    const visitor = await options.visitors.identify(request, project);
    note({ projectId: project.id, visitorId: visitor.visitorId });
    if (operation.admitsNewVisitors && visitor.by === "new") options.gate.admitVisitor(from);
    const caller = { ...from, visitorId: visitor.visitorId };
    const owner = { projectId: project.id, visitorId: visitor.visitorId };
    const admitted = (call: AdmitContext["call"]) =>
      options.hostChecks.admit(request, visitor, { project: project.id, call });
    const id = path.id !== undefined && ID.test(path.id) ? path.id : NO_ID;
    const query = parsedQuery(operation, request);
    // Before the body is read, because the visitor has not agreed to send it.
    if (operation.needsConsent) await options.requireConsent(owner, project);
    await requireThread(operation, request, { visitor, owner, id }, options);
    reservation = options.addressBytes.reserve(from.networks);
    const body = await parsedBody(operation, request, reservation, options);
    const result = await operation.handle({
      request,
      requestId,
      slowBodyMs: options.timings.slowBodyMs,
      note,
      bindings,
      project,
      visitor,
      crossSite: requestOrigin.crossSite,
      owner,
      underProjectPath: path.projectId !== undefined,
      id,
      messageId: messageId.safeParse(path.messageId).data ?? NO_ID,
      body,
      query,
      take: async (name) => {
        options.gate.take(name, caller);
        await admitted(name === "threads" ? "thread" : "upload");
      },
      takeBytes: (bytes) => options.gate.takeBytes(bytes, caller),
      admit: async () => {
        const admission = options.gate.admitQuestion(caller);
        try {
          await admitted("question");
        } catch (error) {
          admission.refused();
          throw error;
        }
        return admission;
      },
    } satisfies OperationRequest<never, never>);
    if (operation.admitsNewVisitors && (visitor.by === "new" || visitor.by === "cookie")) {
      headers["set-cookie"] = options.visitors.cookie(visitor.visitorId, request, requestOrigin);
    }
    const pieces: PiecesOptions = {
      slowReaderMs: options.timings.slowReaderMs,
      onError: (error) => options.logger.error({ requestId, error: describeError(error) }, "a response broke off"),
    };
    const response = toResponse(result, headers, { headersOnly: request.method === "HEAD", bindings, pieces });
    if (result.type === "empty" && result.dropsCookie) {
      for (const line of options.visitors.dropCookies(visitor.visitorId, request, requestOrigin)) {
        response.headers.append("set-cookie", line);
      }
    }
    return response;
  } catch (error) {
    refused(error, networks);
    const response = problemResponse(error, headers);
    const { status } = response;
    // RFC 9110, section 15.5.9: the server does not wait for the rest of the body. An HTTP/2 stream ends separately.
    if (status === 408 && bindings.outgoing instanceof ServerResponse)
      bindings.outgoing.setHeader("connection", "close");
    if (status >= 500 && !(error instanceof ChatError || error instanceof HostRefusal)) {
      options.logger.error({ requestId, status, error: describeError(error) }, "a request failed");
    }
    return response;
  } finally {
    reservation?.release();
  }
}

function projectAt(
  projects: ReadonlyMap<string, ReadyProject>,
  [operation]: readonly AnyOperation[],
  { projectId, id }: RequestPath,
): ReadyProject | undefined {
  // `/api/projects/:id` names the project itself. Under `/p/shop/` this id must be `shop`.
  const named = operation?.path.startsWith("/api/projects/") ? (id ?? NO_ID) : undefined;
  const project = projects.get(named ?? projectId ?? DEFAULT_PROJECT);
  return projectId === undefined || projectId === project?.id ? project : undefined;
}

/**
 * Refuses a large body before it is read unless the visitor has the thread, so that nobody else can make the server
 * buffer it.
 *
 * @throws ChatError `not_found`
 */
async function requireThread(
  { path, takes, reachesArchived }: AnyOperation,
  request: Request,
  { visitor, owner, id }: { readonly visitor: Visitor; readonly owner: Owner; readonly id: string },
  { threads }: Pick<RequestOptions, "threads">,
): Promise<void> {
  if (takes === "nothing" || reachesArchived || !path.startsWith("/api/debug/threads/:id/") || isSmall(request)) return;
  // A new visitor has no threads.
  if (visitor.by === "new") throw notFound("thread");
  await threads.require(owner, id);
}

/**
 * The query after the operation's schema has parsed it. The type `never` fits every operation's handler; the schema has
 * checked the value.
 */
function parsedQuery({ query }: AnyOperation, request: Request): never {
  const given = Object.fromEntries(new URL(request.url).searchParams);
  return (query && parse(query, given, "bad_request")) as never;
}

/**
 * The body after the operation's schema has parsed it. The operation reads an upload later: here only its memory is
 * reserved.
 */
async function parsedBody(
  { body, takes, fileChars, opaque }: AnyOperation,
  request: Request,
  reservation: ByteReservation,
  { uploadBytes, timings: { slowBodyMs } }: Pick<RequestOptions, "uploadBytes" | "timings">,
): Promise<never> {
  if (takes === "upload") reservation.add(uploadBytes);
  const json =
    takes === "json"
      ? await readJson(request, fileChars !== undefined, { reservation, slowBodyMs }, opaque)
      : undefined;
  const parsed = (body && parse(body, json?.value, "unprocessable")) as never;
  if (json && fileChars) requireSmallRest(json, fileChars(parsed));
  return parsed;
}

function parse(schema: z.ZodType, value: unknown, code: ChatErrorCode): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join(".") ?? "";
  const what =
    issue?.code === "invalid_type" ? `must be ${kinds[issue.expected] ?? `a ${issue.expected}`}` : issue?.message;
  throw new ChatError(code, `${where === "" ? "The request" : where}: ${what ?? "not understood"}.`);
}

/** Types of values in plain words, by their names in a schema. A missing value gets the same sentence. */
const kinds: Readonly<Record<string, string>> = { array: "a list", object: "an object", int: "a whole number" };

function toResponse(
  result: OperationResponse,
  headers: Readonly<Record<string, string>>,
  {
    headersOnly,
    bindings,
    pieces,
  }: { readonly headersOnly: boolean; readonly bindings: NodeBindings; readonly pieces: PiecesOptions },
): Response {
  switch (result.type) {
    case "json":
      return Response.json(result.value, { headers });
    case "empty":
      return new Response(null, { status: result.status, headers: { ...headers, ...result.headers } });
    case "pieces": {
      const head = { status: result.status, headers: { ...headers, ...result.headers } };
      return headersOnly ? new Response(null, head) : piecesResponse(bindings, head, result.pieces, pieces);
    }
    case "stream":
      return headersOnly
        ? new Response(null, { headers: { ...headers, ...sseHeaders } })
        : sseResponse(bindings, headers, result.start);
    default:
      return result satisfies never;
  }
}
