import { createReadStream, existsSync } from "node:fs";
import { createServer, request as httpRequest } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { listenLocally } from "../../scripts/listen-locally.mjs";
import { echo } from "../browser/backend.ts";
import { createServerBackend } from "../browser/server-backend.ts";

/** What serves the pages of a site: everything that is no request to the chat's server. */
export type ServePages = (request: IncomingMessage, response: ServerResponse) => void;

/** A site with one origin: a built app, and beside it our server, whose model quotes the question. */
export interface PageServer {
  readonly url: string;
  close(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};

/** A content security policy that allows only the site's own files. */
export const STRICT_POLICY = "default-src 'self'; img-src 'self' data: blob:";

export async function servePages(pages: ServePages): Promise<PageServer> {
  const backend = await createServerBackend({
    answer: echo,
    rawAnswer: undefined,
    title: undefined,
    now: () => new Date(),
  });
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/api/")) backend.handle(request, response);
    else pages(request, response);
  });
  const port = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
      await backend.close();
    },
  };
}

/** Serves the files of a folder, and its `index.html` for every other path, with a content security policy. */
export function filesOf(folder: string, policy = STRICT_POLICY): ServePages {
  return (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const named = join(folder, pathname);
    const file = pathname !== "/" && existsSync(named) ? named : join(folder, "index.html");
    response.writeHead(200, {
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
      "content-security-policy": policy,
    });
    createReadStream(file).pipe(response);
  };
}

/** The pages of another server. */
export function pagesOf(origin: string): ServePages {
  return (request, response) => {
    const { url = "/", method, headers } = request;
    const forwarded = httpRequest(new URL(url, origin), { method, headers }, (answered) => {
      response.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(response);
    });
    forwarded.on("error", () => response.destroy());
    request.pipe(forwarded);
  };
}
