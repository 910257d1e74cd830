import type { LogFields, NodeBindings } from "@nitka/server";
import { safetyHeaders } from "@nitka/server/desk-kit";
import type { PathParams } from "@nitka/server/desk-kit";

/** A request to the desk whose path was matched. */
export interface DeskCall {
  readonly request: Request;
  readonly url: URL;
  readonly params: PathParams;
  readonly bindings: NodeBindings;
  /** The network that the request came from. */
  readonly address: string;
  readonly requestId: string;
  /** The name of the operator, if their key has one. */
  readonly operator: string | undefined;
}

/** The handlers of the desk for a path, by method. */
export interface DeskRoute {
  readonly path: string;
  /** Whether it needs no session. */
  readonly isPublic?: boolean;
  readonly methods: Readonly<Partial<Record<"GET" | "POST" | "DELETE", (call: DeskCall) => Promise<Response>>>>;
}

/** The log fields that describe who does something. */
export function whoOf({
  requestId,
  address,
  operator,
}: Pick<DeskCall, "requestId" | "address" | "operator">): LogFields {
  return { requestId, address, ...(operator !== undefined && { operator }) };
}

export function jsonResponse(value: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json(value, { headers: { ...safetyHeaders, ...headers } });
}

export function emptyResponse(headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status: 204, headers: { ...safetyHeaders, ...headers } });
}
