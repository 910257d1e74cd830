import { ChatError } from "../chat-error.ts";
import type { NodeBindings } from "../http/node-bindings.ts";
import { problemResponse } from "../http/error-response.ts";
import { forAnySite } from "../http/request-origin.ts";
import { safetyHeaders } from "../http/safety-headers.ts";
import { handleRequest } from "./handle-request.ts";
import type { RequestOptions } from "./handle-request.ts";
import type { ServerPage } from "./server-pages.ts";
import { matchSegments, pathPattern, segmentsOf } from "./match-path.ts";
import type { PathParams, PathPattern } from "./match-path.ts";
import { observeRequest } from "./observe-request.ts";
import type { ObserveOptions, ObservedRequest } from "./observe-request.ts";
import type { AnyOperation } from "./operation.ts";

export interface RouterOptions extends RequestOptions, ObserveOptions {
  readonly operations: readonly AnyOperation[];
  readonly pages: readonly ServerPage[];
  /** The prefix of every path; may be "". */
  readonly basePath: string;
}

export interface Router {
  /** Never rejects. */
  fetch(request: Request, bindings: NodeBindings): Promise<Response>;
}

/** One path with all its methods. */
interface Route {
  readonly pattern: PathPattern;
  /** See `ObservedRoute`. */
  readonly quiet: boolean;
  readonly handle: (request: Request, routed: RoutedRequest) => Promise<Response>;
}

interface RoutedRequest extends ObservedRequest {
  readonly params: PathParams;
  readonly bindings: NodeBindings;
}

/**
 * Every path of the server: the operations of the project `default`, the same under `/p/{project}`, and the server's
 * own pages.
 */
export function createRouter(options: RouterOptions): Router {
  const routes = [
    ...[...Map.groupBy(options.operations, ({ path }) => path)].flatMap(([path, group]) =>
      [path, `/p/:project${path}`].map((text) => operationRoute(options, text, group)),
    ),
    ...options.pages.map((page) => pageRoute(options, page)),
  ];
  const nowhere = nowhereRoute(options);

  return {
    async fetch(request, bindings) {
      const { pathname } = new URL(request.url);
      const { route, params } = find(routes, pathname) ?? { route: nowhere, params: {} };
      const observe = { request, route: route.pattern.text, quiet: route.quiet };
      const response = await observeRequest(options, observe, (seen) =>
        route.handle(request, { ...seen, params, bindings }),
      );
      // RFC 9110, section 9.3.2: HEAD has the headers of GET and no body.
      return request.method === "HEAD" ? new Response(null, response) : response;
    },
  };
}

function find(
  routes: readonly Route[],
  pathname: string,
): { readonly route: Route; readonly params: PathParams } | undefined {
  const segments = segmentsOf(pathname);
  for (const route of routes) {
    const params = matchSegments(route.pattern, segments);
    if (params) return { route, params };
  }
  return undefined;
}

function nowhereRoute(options: RouterOptions): Route {
  return {
    pattern: { text: "(none)", segments: [] },
    quiet: false,
    handle: async (request, { requestId, bindings, refused }) => {
      const headers = headersOf(requestId);
      const answer = refusedLight(options, request, { bindings, refused }, headers);
      const missing = new ChatError("not_found", "There is nothing at this address.");
      return answer ?? problemResponse(missing, { ...headers, ...forAnySite });
    },
  };
}

function operationRoute(options: RouterOptions, text: string, group: readonly AnyOperation[]): Route {
  return {
    pattern: pathPattern(text, options.basePath),
    quiet: false,
    handle: async (request, { params, ...routed }) =>
      handleRequest(
        options,
        group,
        { projectId: params["project"], id: params["id"], messageId: params["messageId"] },
        { request, ...routed },
      ),
  };
}

function pageRoute(options: RouterOptions, { path, isProbe, read }: ServerPage): Route {
  return {
    pattern: pathPattern(path, options.basePath),
    quiet: true,
    async handle(request, { requestId, bindings, refused }) {
      const headers = headersOf(requestId);
      const { method } = request;
      const answer = isProbe ? undefined : refusedLight(options, request, { bindings, refused }, headers);
      if (answer) return answer;
      if (method !== "GET" && method !== "HEAD") {
        return problemResponse(new ChatError("method_not_allowed", "This address accepts only GET and HEAD."), {
          ...headers,
          allow: "GET, HEAD",
        });
      }
      const { status, contentType, text } = await read();
      return new Response(text, { status, headers: { ...headers, "content-type": contentType } });
    },
  };
}

function headersOf(requestId: string): Readonly<Record<string, string>> {
  return { ...safetyHeaders, "x-request-id": requestId };
}

/** The response to an address that has exceeded its limit; `undefined` for all others. */
function refusedLight(
  { gate, clientNetworks }: RouterOptions,
  request: Request,
  { bindings, refused }: Pick<RoutedRequest, "bindings" | "refused">,
  headers: Readonly<Record<string, string>>,
): Response | undefined {
  const networks = clientNetworks(request, bindings);
  try {
    gate.admitLight({ networks });
    return undefined;
  } catch (error) {
    refused(error, networks);
    return problemResponse(error, headers);
  }
}
