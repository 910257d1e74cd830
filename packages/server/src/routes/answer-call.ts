/** Takes a call of a project through everything that comes before its operation, and its reply into a response. */
import type { z } from "zod";
import { ChatError } from "../chat-error.ts";
import type { ChatErrorCode } from "../chat-error.ts";
import type { NodeBindings } from "../http/bindings.ts";
import type { ClientNetworks } from "../http/client-address.ts";
import { corsHeaders, preflightHeaders, relationOf, requireAllowedOrigin } from "../http/cors.ts";
import { toErrorReply } from "../http/error-response.ts";
import type { Gate } from "../http/gate.ts";
import { piecesResponse } from "../http/pieces-response.ts";
import type { PiecesOptions } from "../http/pieces-response.ts";
import { readJson, requireRoom } from "../http/read-json.ts";
import { safetyHeaders } from "../http/safety-headers.ts";
import { sseHeaders, sseResponse } from "../http/sse-response.ts";
import type { Visitors } from "../http/visitor.ts";
import type { ByteBudget, HeldBytes } from "../services/byte-budget.ts";
import { DEFAULT_PROJECT } from "../services/config-service.ts";
import { describeError } from "../services/describe-error.ts";
import type { Log } from "../services/log.ts";
import type { ReadyProject } from "../services/projects.ts";
import type { Timings } from "../services/timings.ts";
import type { ObservedRequest } from "./observed.ts";
import type { AnyOperation, Call, Reply } from "./operation.ts";

export interface CallOptions {
  readonly projects: ReadonlyMap<string, ReadyProject>;
  readonly visitors: Visitors;
  readonly gate: Gate;
  readonly clientNetworks: ClientNetworks;
  readonly buffers: ByteBudget;
  /** The most memory that an upload takes. */
  readonly uploadBytes: number;
  readonly log: Log;
  readonly timings: Pick<Timings, "slowReaderMs">;
}

/** What the path says. */
export interface Place {
  /** Of a path under `/p/`; else the project is the default one, or the config's own. */
  readonly projectId: string | undefined;
  readonly id: string;
}

export interface Incoming extends ObservedRequest {
  readonly request: Request;
  readonly bindings: NodeBindings;
}

/** @param group the operations of the path, one for each of its methods */
export async function answerCall(
  options: CallOptions,
  group: readonly AnyOperation[],
  place: Place,
  incoming: Incoming,
): Promise<Response> {
  const { request, bindings, requestId, note } = incoming;
  const headers: Record<string, string> = { ...safetyHeaders, "x-request-id": requestId };
  const held = options.buffers.hold();
  try {
    const project = projectAt(options.projects, group, place);
    const relation = relationOf(request, project.allowedOrigins);
    Object.assign(headers, corsHeaders(relation), {
      "cross-origin-resource-policy": project.allowedOrigins.size > 0 ? "cross-origin" : "same-origin",
    });
    const methods = ["OPTIONS", ...group.flatMap(({ method }) => (method === "GET" ? [method, "HEAD"] : [method]))];
    if (request.method === "OPTIONS") {
      return new Response(null, { status: 204, headers: { ...headers, ...preflightHeaders(relation, methods) } });
    }
    const from = { project, networks: options.clientNetworks(request, bindings) };
    options.gate.enter(from);
    const operation = group.find(({ method }) => method === (request.method === "HEAD" ? "GET" : request.method));
    if (!operation) {
      headers["allow"] = methods.join(", ");
      throw new ChatError("method_not_allowed", `This address takes ${methods.join(", ")}.`);
    }
    if (operation.method !== "GET") requireAllowedOrigin(relation);
    const visitor = await options.visitors.identify(request, project);
    note({ projectId: project.id, visitorId: visitor.visitorId });
    if (operation.welcomesStrangers && visitor.by === "stranger") options.gate.welcome(from);
    const caller = { ...from, visitorId: visitor.visitorId };
    const reply = await operation.handle({
      request,
      requestId,
      note,
      bindings,
      project,
      visitor,
      crossSite: relation.crossSite,
      owner: { projectId: project.id, visitorId: visitor.visitorId },
      inside: place.projectId !== undefined,
      id: /^[\w.~-]{1,128}$/.test(place.id) ? place.id : "",
      take: (name) => options.gate.take(name, caller),
      takeBytes: (bytes) => options.gate.takeBytes(bytes, caller),
      admit: () => options.gate.admit(caller),
      ...(await formsOf(operation, request, held, options)),
    } satisfies Call<never, never>);
    if (operation.welcomesStrangers && (visitor.by === "stranger" || visitor.by === "cookie")) {
      headers["set-cookie"] = options.visitors.cookie(visitor.visitorId, request, relation);
    }
    const pieces: PiecesOptions = {
      slowMs: options.timings.slowReaderMs,
      onError: (error) => options.log.error({ requestId, error: describeError(error) }, "an answer broke off"),
    };
    const response = respond(reply, headers, { headersOnly: request.method === "HEAD", bindings, pieces });
    if (reply.type === "empty" && reply.takesCookieBack) {
      for (const line of options.visitors.takeBack(visitor.visitorId, request, relation)) {
        response.headers.append("set-cookie", line);
      }
    }
    return response;
  } catch (error) {
    const { status, headers: more, problem } = toErrorReply(error);
    if (status >= 500 && !(error instanceof ChatError)) {
      options.log.error({ requestId, status, error: describeError(error) }, "a request failed");
    }
    return Response.json(problem, { status, headers: { ...headers, ...more } });
  } finally {
    held.release();
  }
}

function projectAt(
  projects: ReadonlyMap<string, ReadyProject>,
  [operation]: readonly AnyOperation[],
  { projectId, id }: Place,
): ReadyProject {
  // The config call names its project itself; under `/p/` that must be the same one.
  const named = operation?.path.startsWith("/api/projects/") ? id : undefined;
  const project = projects.get(named ?? projectId ?? DEFAULT_PROJECT);
  if (!project || (projectId !== undefined && projectId !== project.id)) {
    throw new ChatError("not_found", "There is no such project.");
  }
  return project;
}

/** What the operation's schemas let pass: to nothing else is it handed. */
async function formsOf(
  operation: AnyOperation,
  request: Request,
  held: HeldBytes,
  { uploadBytes }: Pick<CallOptions, "uploadBytes">,
): Promise<{ readonly body: never; readonly query: never }> {
  const { query, body, takes, fileChars } = operation;
  const asked = query && parse(query, Object.fromEntries(new URL(request.url).searchParams), "bad_request");
  if (takes === "upload") held.add(uploadBytes);
  const sent = takes === "json" ? await readJson(request, fileChars !== undefined, held) : undefined;
  const said = (body && parse(body, sent?.value, "unprocessable")) as never;
  if (sent && fileChars) requireRoom(sent, fileChars(said));
  return { query: asked as never, body: said };
}

function parse(schema: z.ZodType, value: unknown, code: ChatErrorCode): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join(".") ?? "";
  throw new ChatError(code, `${where === "" ? "The request" : where}: ${issue?.message ?? "not understood"}.`);
}

function respond(
  reply: Reply,
  headers: Readonly<Record<string, string>>,
  {
    headersOnly,
    bindings,
    pieces,
  }: { readonly headersOnly: boolean; readonly bindings: NodeBindings; readonly pieces: PiecesOptions },
): Response {
  switch (reply.type) {
    case "json":
      return Response.json(reply.value, { headers });
    case "empty":
      return new Response(null, { status: reply.status, headers: { ...headers, ...reply.headers } });
    case "pieces": {
      const head = { status: reply.status, headers: { ...headers, ...reply.headers } };
      return headersOnly ? new Response(null, head) : piecesResponse(bindings, head, reply.pieces, pieces);
    }
    case "stream":
      return headersOnly
        ? new Response(null, { headers: { ...headers, ...sseHeaders } })
        : sseResponse(bindings, headers, reply.start);
    default:
      return reply satisfies never;
  }
}
