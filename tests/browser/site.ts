import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import { extname } from "node:path";
import { listenLocally } from "../../scripts/listen-locally.mjs";
import type { Backend, Script } from "./backend.ts";
import { echo } from "./backend.ts";
import { hostPage } from "./host-page.ts";

/** A host page. The site serves it on every path outside the widget's files and the backend. */
export interface Host {
  html: string;
  headers: Readonly<Record<string, string>>;
  /** Further files by path, such as a page's own script. */
  files: Readonly<Record<string, { readonly type: string; readonly body: string }>>;
}

/** One origin with the widget's files, a host page and a backend. */
export interface Site {
  readonly origin: string;
  /** The same site under another name, for pages whose origin differs. */
  readonly otherOrigin: string;
  readonly script: Script;
  readonly host: Host;
  /** The fate of the first request of each matching file of the widget, and the addresses that were served. */
  readonly files: { fail: RegExp | undefined; how: 503 | "break"; readonly served: string[] };
  /** Breaks the connections of all streaming answers and returns their number. */
  dropStreams(): number;
  /** Whether the site breaks every request to the backend, or those with a matching path. */
  setOffline(offline: boolean | RegExp): void;
  close(): Promise<void>;
}

/** The widget's build for tests. */
const dist = new URL("../../packages/widget/dist-loud/", import.meta.url);

export async function startSite(createBackend: (script: Script) => Backend | Promise<Backend>): Promise<Site> {
  const script: Script = { answer: echo, rawAnswer: undefined, title: undefined, now: () => new Date() };
  const host: Host = { html: hostPage(), headers: {}, files: {} };
  const backend = await createBackend(script);
  const streams = new Set<ServerResponse>();
  let offline: boolean | RegExp = false;
  const files: Site["files"] = { fail: undefined, how: 503, served: [] };
  const failed = new Set<string>();

  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
    if (pathname.startsWith("/widget/")) {
      if (files.fail?.test(pathname) && !failed.has(pathname)) {
        failed.add(pathname);
        if (files.how === 503) response.writeHead(503).end();
        else response.writeHead(200, { "content-length": 1000 }).write("/*", () => request.destroy());
        return;
      }
      files.served.push(pathname + search);
      void widgetFile(pathname.slice("/widget/".length), response);
    } else if (/^(\/p\/[^/]+)?\/api\//.test(pathname)) {
      if (offline instanceof RegExp ? offline.test(pathname) : offline) {
        request.destroy();
        return;
      }
      if (pathname.endsWith("/run/stream")) {
        streams.add(response);
        response.on("close", () => streams.delete(response));
      }
      backend.handle(request, response);
    } else {
      const file = host.files[pathname];
      if (file) response.writeHead(200, { "content-type": file.type }).end(file.body);
      else if (pathname === "/favicon.ico") response.writeHead(204).end();
      else response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...host.headers }).end(host.html);
    }
  });
  const port = await listenLocally(server);

  return {
    origin: `http://127.0.0.1:${port}`,
    otherOrigin: `http://localhost:${port}`,
    script,
    host,
    files,
    dropStreams() {
      const dropped = [...streams];
      for (const response of dropped) response.destroy();
      return dropped.length;
    },
    setOffline(value) {
      offline = value;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await backend.close();
    },
  };
}

const contentTypes: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".map": "application/json",
};

/** Serves a file of the widget to pages of every origin, like a public CDN. */
async function widgetFile(name: string, response: ServerResponse): Promise<void> {
  try {
    const bytes = await readFile(new URL(name, dist));
    response
      .writeHead(200, {
        "content-type": contentTypes[extname(name)] ?? "text/plain",
        "access-control-allow-origin": "*",
      })
      .end(bytes);
  } catch {
    response.writeHead(404).end();
  }
}
