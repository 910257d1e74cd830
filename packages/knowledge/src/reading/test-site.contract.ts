import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type TestPage =
  | string
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Uint8Array;
    }
  | ((request: IncomingMessage, response: ServerResponse) => void);

/** A site on this machine, whose pages a test changes while it is read. */
export interface TestSite extends AsyncDisposable {
  readonly origin: string;
  /** By their path and query. */
  readonly pages: Map<string, TestPage>;
  readonly requests: { readonly url: string; readonly status: number; readonly agent: string }[];
  /** The most requests that were open at a time. */
  mostAtATime(): number;
  /** Sets a sitemap that names the paths. */
  list(paths: readonly string[]): void;
}

/** Each page has an `ETag` of its content, and answers 304 to it, unless it is a function. */
export async function startTestSite(): Promise<TestSite> {
  const pages = new Map<string, TestPage>();
  const requests: { url: string; status: number; agent: string }[] = [];
  let open = 0;
  let most = 0;
  const server = createServer((request, response) => {
    open += 1;
    most = Math.max(most, open);
    response.on("close", () => {
      open -= 1;
      requests.push({
        url: request.url ?? "",
        status: response.statusCode,
        agent: request.headers["user-agent"] ?? "",
      });
    });
    const page = pages.get(request.url ?? "");
    if (page === undefined) {
      response.writeHead(404).end("no");
    } else if (typeof page === "function") {
      page(request, response);
    } else {
      const { status = 200, headers = {}, body = "" } = typeof page === "string" ? { body: page } : page;
      const etag = `"${createHash("sha256").update(body).digest("hex").slice(0, 20)}"`;
      const isKnown = status === 200 && request.headers["if-none-match"] === etag;
      const type = request.url?.endsWith(".xml") === true ? "application/xml" : "text/html; charset=utf-8";
      response.writeHead(isKnown ? 304 : status, { "content-type": type, etag, ...headers });
      response.end(isKnown ? undefined : body);
    }
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    pages,
    requests,
    mostAtATime: () => most,
    list: (paths) => void pages.set("/sitemap.xml", sitemapOf(paths.map((path) => origin + path))),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

export function sitemapOf(addresses: readonly string[]): string {
  return `<?xml version="1.0"?><urlset>${addresses.map((address) => `<url><loc>${address}</loc></url>`).join("")}</urlset>`;
}

export const article = (title: string, text: string): string =>
  `<!doctype html><html lang="ru"><title>${title} — Магазин</title><main><h1>${title}</h1><p>${text}</p></main></html>`;
