import type { ChatServer, Log, NodeBindings } from "@nitka/server";
import type { Pages } from "./pages.ts";
import type { StaticFiles } from "./static-files.ts";

export interface HandlerOptions {
  readonly chat: Pick<ChatServer, "fetch">;
  readonly widget: StaticFiles;
  readonly pages: Pages;
  readonly log: Log;
  /** What only operators read is answered by `createOpsHandler` alone. */
  readonly opsApart?: boolean;
}

/** Who answers which path: the chat server, the widget's files, the pages. */
export function createHandler({ chat, widget, pages, log, opsApart = false }: HandlerOptions) {
  return async (request: Request, bindings: NodeBindings): Promise<Response> => {
    const path = new URL(request.url).pathname;
    if (leadsElsewhere(bindings.incoming?.url ?? "")) return plain(404, "There is nothing at this address.");
    if (isChatPath(path) && !(opsApart && isOpsPath(path))) return chat.fetch(request, bindings);
    try {
      if (request.method !== "GET" && request.method !== "HEAD") {
        return plain(405, "This page is only read.", { allow: "GET, HEAD" });
      }
      if (path.startsWith(WIDGET)) {
        const missing = `There is no ${path} here. The widget's script is ${WIDGET}nitka.js.`;
        return (await widget(request, path.slice(WIDGET.length))) ?? plain(404, missing, anySite);
      }
      return (
        (await pages(request, path)) ??
        plain(404, "Такой страницы нет. Чат открывается на /, пример сайта с чатом на /demo/.")
      );
    } catch (error) {
      log.error({ error, path }, "a page could not be served");
      return plain(500, "The page could not be served; the log tells why.");
    }
  };
}

/** Answers on the operators' own port: what programs ask of the server itself, and nothing else. */
export function createOpsHandler(chat: Pick<ChatServer, "fetch">) {
  return async (request: Request, bindings: NodeBindings): Promise<Response> => {
    const path = new URL(request.url).pathname;
    const isThere = (isProbePath(path) || isOpsPath(path)) && !leadsElsewhere(bindings.incoming?.url ?? "");
    return isThere ? chat.fetch(request, bindings) : plain(404, "There is nothing at this address.");
  };
}

const WIDGET = "/widget/";

/** A page elsewhere must be able to read why its script is missing. */
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
 * A path with `..` in it, however it is spelled, means another one than it says. Clients take such steps themselves; a
 * proxy that goes by what the path says would be passed by.
 */
function leadsElsewhere(target: string): boolean {
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
