import type { Desk } from "@nitka/desk";
import type { ChatServer, Log, NodeBindings } from "@nitka/server";
import type { Pages } from "./pages.ts";
import type { StaticFiles } from "./static-files.ts";

export interface HandlerOptions {
  readonly chat: Pick<ChatServer, "fetch">;
  readonly widget: StaticFiles;
  /** Returns the current pages; `undefined` when only the widget's files are served. */
  readonly pages: () => Pages | undefined;
  readonly log: Log;
  /** Whether only `createOpsHandler` serves /metrics and /openapi.json. */
  readonly opsApart?: boolean;
}

/** Routes a request to the chat server, the widget's files, or the pages. */
export function createHandler({ chat, widget, pages, log, opsApart = false }: HandlerOptions) {
  return async (request: Request, bindings: NodeBindings): Promise<Response> => {
    const path = new URL(request.url).pathname;
    const target = bindings.incoming?.url ?? "";
    if (hasDotSegment(target)) {
      // Clients of the API parse its errors as JSON: they get the error for a path that does not exist.
      return isChatPath(target) ? chat.fetch(new Request(new URL("/p/", request.url)), bindings) : plain(404, nothing);
    }
    if (isChatPath(path) && !(opsApart && isOpsPath(path))) return chat.fetch(request, bindings);
    try {
      if (request.method !== "GET" && request.method !== "HEAD") {
        return plain(405, "This address accepts only GET and HEAD.", { allow: "GET, HEAD" });
      }
      if (path.startsWith(WIDGET)) {
        const missing = `There is no ${path} here. The widget's script is ${WIDGET}nitka.js.`;
        return (await widget(request, path.slice(WIDGET.length))) ?? plain(404, missing, anySite);
      }
      const all = pages();
      if (!all) return plain(404, nothing, anySite);
      return (
        (await all(request, path)) ??
        plain(404, "Такой страницы нет. Чат открывается на /, пример сайта с чатом на /demo/.", anySite)
      );
    } catch (error) {
      log.error({ error, path }, "a page could not be served");
      return plain(500, "The page could not be served. The log has the reason.");
    }
  };
}

export interface OpsHandlerOptions {
  readonly chat: Pick<ChatServer, "fetch">;
  /** The operators' desk, if it is enabled. */
  readonly desk?: { readonly api: Desk; readonly pages: Pages; readonly widget: StaticFiles } | undefined;
  readonly log: Log;
}

/** Serves the operators' port: probes, metrics, the OpenAPI document and the desk, and nothing else. */
export function createOpsHandler({ chat, desk, log }: OpsHandlerOptions) {
  return async (request: Request, bindings: NodeBindings): Promise<Response> => {
    const path = new URL(request.url).pathname;
    if (hasDotSegment(bindings.incoming?.url ?? "")) return plain(404, nothing);
    if (isProbePath(path) || isOpsPath(path)) return chat.fetch(request, bindings);
    if (!desk) return plain(404, nothing);
    try {
      const answered = await desk.api.fetch(request, bindings);
      if (answered) return answered;
      if (request.method !== "GET" && request.method !== "HEAD") {
        return plain(405, "This address accepts only GET and HEAD.", { allow: "GET, HEAD" });
      }
      const file = path.startsWith(WIDGET)
        ? desk.widget(request, path.slice(WIDGET.length))
        : desk.pages(request, path);
      return (await file) ?? plain(404, nothing);
    } catch (error) {
      log.error({ error, path }, "a page could not be served");
      return plain(500, "The page could not be served. The log has the reason.");
    }
  };
}

const nothing = "There is nothing at this address.";

const WIDGET = "/widget/";

/** A page of any site may read the text that says what is missing: the widget tells its host's developer. */
const anySite = { "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" };

function isChatPath(path: string): boolean {
  return /^\/(?:api|p)\//.test(path) || isProbePath(path) || isOpsPath(path);
}

function isProbePath(path: string): boolean {
  return path === "/healthz" || path === "/readyz";
}

function isOpsPath(path: string): boolean {
  return path === "/metrics" || path === "/openapi.json";
}

/**
 * Whether a request's path has a `.` or `..` segment, also percent-encoded. Clients resolve these before they send a
 * path. They are refused here, because a proxy that allows or blocks by path may see a different path than this server.
 *
 * @example hasDotSegment("/widget/%2e%2e/metrics") // true
 */
function hasDotSegment(target: string): boolean {
  const [path = ""] = target.split(/[?#]/, 1);
  return path.split("/").some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
}

function plain(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(`${text}\n`, {
    status,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "x-content-type-options": "nosniff",
      "cache-control": "no-cache",
      ...headers,
    },
  });
}
