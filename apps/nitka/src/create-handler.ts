import type { ChatServer, Log, NodeBindings } from "@nitka/server";
import type { Pages } from "./pages.ts";
import type { StaticFiles } from "./static-files.ts";

export interface HandlerOptions {
  readonly chat: Pick<ChatServer, "fetch">;
  readonly widget: StaticFiles;
  readonly pages: Pages;
  readonly log: Log;
}

/** Who answers which path: the chat server, the widget's files, the pages. */
export function createHandler({ chat, widget, pages, log }: HandlerOptions) {
  return async (request: Request, bindings: NodeBindings): Promise<Response> => {
    const path = new URL(request.url).pathname;
    if (isChatPath(path)) return chat.fetch(request, bindings);
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

const WIDGET = "/widget/";

/** A page elsewhere must be able to read why its script is missing. */
const anySite = { "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" };

function isChatPath(path: string): boolean {
  return /^\/(?:api|p)\//.test(path) || /^\/(?:healthz|readyz|metrics|openapi\.json)$/.test(path);
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
