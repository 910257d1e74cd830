import { routes, visitorRoute } from "@nitka/protocol/routes";
import type { Section } from "./check.ts";
import { demand, excerpt, NotCheckable } from "./nonconformance.ts";
import type { Session } from "./session.ts";
import type { Exchange } from "./visitor.ts";

/** The sentence of docs/protocol.md about the headers for a page of another origin. */
const SHARED =
  "Each response to such a page, an error too, has its origin in `Access-Control-Allow-Origin`, and `Access-Control-Allow-Credentials: true`";

/** The origin of the page. */
function otherOrigin(session: Session): string {
  if (session.page === undefined) throw new NotCheckable("it needs the origin of a page: --page https://shop.example");
  if (session.page === session.configUrl().origin) throw new NotCheckable("the page is of the backend's own origin");
  return session.page;
}

function demandShared({ request, status, headers, text }: Exchange, page: string): void {
  const origin = headers.get("access-control-allow-origin") ?? "no Access-Control-Allow-Origin";
  const credentials = headers.get("access-control-allow-credentials");
  demand(
    origin === page && credentials === "true",
    `${request} with Origin: ${page}`,
    `Access-Control-Allow-Origin: ${page}, and Access-Control-Allow-Credentials: true`,
    `${origin}, ${credentials === null ? "no Access-Control-Allow-Credentials" : `credentials ${credentials}`} (${status}: ${excerpt(text).slice(0, 80)})`,
  );
}

export const originChecks: Section = {
  name: "Pages of other origins",
  checks: [
    {
      title: "the config names the api base, so that requests of a page of another origin come here",
      rule: "else `/`, the page's own origin.",
      level: ({ page }) => (page === undefined ? "advice" : undefined),
      run: async (session) => {
        const { apiBase } = session.config;
        if (session.page === session.configUrl().origin) return;
        demand(
          apiBase !== undefined,
          `GET ${session.configUrl().href}`,
          '{"apiBase":"./"}',
          `no apiBase: the widget sends all other requests to ${session.page ?? "the origin of its page"}`,
        );
      },
    },
    {
      title: "the page may read responses, errors and the stream, with the visitor's cookie",
      rule: SHARED,
      run: async (session) => {
        const page = otherOrigin(session);
        const { visitor } = session;
        demandShared(await visitor.send("GET", session.configUrl()), page);
        demandShared(await visitor.send("GET", session.url(routes.threads())), page);
        demandShared(await session.history("conformance-no-such-thread"), page);
        const { run } = await session.talk();
        demandShared({ request: run.request, status: 200, headers: run.headers, text: run.text() }, page);
      },
    },
    {
      title: "a preflight allows the widget's headers",
      rule: "The response to a preflight allows the headers `accept`, `authorization` and `content-type`, and the methods of its path.",
      run: async (session) => {
        const page = otherOrigin(session);
        const ask = (method: string, path: string) => {
          const names = "authorization,content-type";
          const headers = { "access-control-request-method": method, "access-control-request-headers": names };
          return session.visitor.send("OPTIONS", session.url(path), { headers });
        };
        const preflight = await ask("POST", routes.threads());
        const { request, status, headers: got, text } = preflight;
        demand(status >= 200 && status < 300, request, "a successful response", `${status}: ${excerpt(text)}`);
        demandShared(preflight, page);
        const allowed = got.get("access-control-allow-headers") ?? "";
        const names = allowed.toLowerCase().split(/\s*,\s*/);
        // For a request with a cookie, `*` is not a wildcard (Fetch standard, 3.2.5).
        const missing = ["authorization", "content-type"].filter((name) => !names.includes(name));
        demand(
          missing.length === 0,
          `${request} with Origin: ${page}`,
          "Access-Control-Allow-Headers: accept, authorization, content-type",
          `${allowed || "none"}, without ${missing.join(" and ")}`,
        );
        if (session.config.features?.erase !== true) return;
        // All other methods of the widget are allowed without this header.
        const erasing = await ask("DELETE", visitorRoute);
        const methods = erasing.headers.get("access-control-allow-methods") ?? "none";
        demand(/\bDELETE\b/.test(methods), erasing.request, "Access-Control-Allow-Methods: DELETE", methods);
      },
    },
  ],
};
