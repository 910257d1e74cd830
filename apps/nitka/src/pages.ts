import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { HELP_PATH, readHelpPages } from "./knowledge/help-pages.ts";
import { createStaticFiles } from "./static-files.ts";

export interface PagesOptions {
  /** The project whose chat the full page shows. */
  readonly projectId: string;
  /** The project whose chat the demo shop shows. */
  readonly shopProjectId: string;
  /** The title of the full page. */
  readonly title: string;
  /** The hosts from which pages may load images. */
  readonly imageHosts: readonly string[];
}

/** Serves a page or one of its files; `undefined` when the path is neither. */
export type Pages = (request: Request, path: string) => Promise<Response | undefined>;

const folder = fileURLToPath(new URL("../pages/", import.meta.url));
const deskFolder = fileURLToPath(new URL("pages/", import.meta.resolve("@nitka/desk/package.json")));

/** The full page with the widget, the demo shop, and their files. */
export function createPages({ projectId, shopProjectId, title, imageHosts }: PagesOptions): Pages {
  const headers = { ...securityHeaders(imageHosts), "cache-control": "no-cache" };
  const files = createStaticFiles({ folder, headers: () => headers });
  const page = (name: string, values: Readonly<Record<string, string>>) =>
    rendered(readFileSync(`${folder}${name}`, "utf8"), values, headers);
  const shop = (layout: string, address: string) => page("demo/shop.html", { project: shopProjectId, layout, address });
  const full = page("full-page.html", { project: projectId, title });
  const inline = shop("inline", "/demo/");
  const launcher = shop("launcher", "/demo/launcher");
  const help = new Map(
    [...readHelpPages()].map(([path, values]) => [path, page("demo/help.html", { ...values, project: shopProjectId })]),
  );

  return async (request, path) => {
    if (path === "/" || /^\/c\/[^/]+\/?$/.test(path)) return full(request);
    if (path === "/demo/" || /^\/demo\/c\/[^/]+\/?$/.test(path)) return inline(request);
    if (path === "/demo/launcher") return launcher(request);
    if (path === "/demo" || path === "/demo/launcher/") return moved(path === "/demo" ? "/demo/" : "/demo/launcher");
    if (path === "/favicon.ico") return moved("/favicon.svg");
    if (path === HELP_PATH) return moved(`${HELP_PATH}delivery.html`);
    const helpPage = help.get(path);
    if (helpPage) return helpPage(request);
    return path.endsWith(".html") ? undefined : files(request, path.slice(1));
  };
}

/** The operators' desk and its files. The page contains no data: its scripts query the desk's API. */
export function createDeskPages(): Pages {
  const headers = { ...securityHeaders([], "'none'"), "referrer-policy": "no-referrer", "cache-control": "no-cache" };
  const files = createStaticFiles({ folder: deskFolder, headers: () => headers });
  const ownFiles = createStaticFiles({ folder, headers: () => headers });
  const desk = rendered(readFileSync(join(deskFolder, "desk.html"), "utf8"), {}, headers);

  return async (request, path) => {
    if (path === "/desk/") return desk(request);
    if (path === "/desk") return moved("/desk/");
    if (path === "/favicon.svg") return ownFiles(request, "favicon.svg");
    return /^\/desk\/(?:[\w-]+\.js|styles\/[\w-]+\.css)$/.test(path)
      ? files(request, path.slice("/desk/".length))
      : undefined;
  };
}

function rendered(
  template: string,
  values: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): (request: Request) => Response {
  // Three braces mark HTML of our own, which is not escaped.
  const html = template.replaceAll(/\{\{\{(\w+)\}\}\}|\{\{(\w+)\}\}/g, (_, own: string, name: string) =>
    own ? (values[own] ?? "") : escapeHtml(values[name] ?? ""),
  );
  const etag = `"${createHash("sha256").update(html).digest("base64url").slice(0, 22)}"`;
  return (request) => {
    const isFresh = request.headers.get("if-none-match")?.includes(etag) ?? false;
    const body = isFresh || request.method === "HEAD" ? null : html;
    const all = { ...headers, etag, "content-type": "text/html; charset=utf-8" };
    return new Response(body, { status: isFresh ? 304 : 200, headers: all });
  };
}

function moved(location: string): Response {
  return new Response(null, { status: 308, headers: { location } });
}

/** A strict content security policy: no inline scripts or styles, and nothing from other hosts except images. */
function securityHeaders(
  imageHosts: readonly string[],
  frameAncestors: "'self'" | "'none'" = "'self'",
): Readonly<Record<string, string>> {
  const images = ["'self'", "data:", "blob:", ...imageHosts.map((host) => `https://${host}`)].join(" ");
  return {
    "content-security-policy": [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      `img-src ${images}`,
      "media-src 'self' data: blob:",
      "font-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      `frame-ancestors ${frameAncestors}`,
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join("; "),
    "referrer-policy": "strict-origin-when-cross-origin",
    "x-content-type-options": "nosniff",
  };
}

function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replaceAll(/[&<>"]/g, (char) => entities[char] ?? char);
}
