import type { Metrics } from "../http/metrics.ts";
import type { Readiness } from "../services/upkeep/readiness.ts";

/** A page for operators, outside of any project and visitor. */
export interface ServerPage {
  readonly path: string;
  /** Whether process supervisors read it: a probe is never refused. */
  readonly isProbe: boolean;
  readonly read: () => Promise<{ readonly status: number; readonly contentType: string; readonly text: string }>;
}

/** The pages that can be switched off. */
export interface ShownPages {
  /** `false`: `/metrics` is 404. */
  readonly metrics?: boolean;
  /** `false`: `/openapi.json` is 404. */
  readonly openapi?: boolean;
}

export function serverPages(
  readiness: Readiness,
  metrics: Metrics,
  document: () => Readonly<Record<string, unknown>>,
  { metrics: hasMetrics = true, openapi: hasOpenApi = true }: ShownPages = {},
): readonly ServerPage[] {
  let description: string | undefined;
  const pages: readonly ServerPage[] = [
    { path: "/healthz", isProbe: true, read: async () => json(200, { status: "ok" }) },
    {
      path: "/readyz",
      isProbe: true,
      async read() {
        const problem = await readiness.problem();
        return problem === undefined ? json(200, { status: "ready" }) : json(503, { status: "not ready", problem });
      },
    },
    { path: "/metrics", isProbe: false, read: async () => ({ status: 200, ...(await metrics.page()) }) },
    {
      path: "/openapi.json",
      isProbe: false,
      read: async () => ({ status: 200, contentType: JSON_TYPE, text: (description ??= JSON.stringify(document())) }),
    },
  ];
  const hidden = new Set([...(hasMetrics ? [] : ["/metrics"]), ...(hasOpenApi ? [] : ["/openapi.json"])]);
  return pages.filter(({ path }) => !hidden.has(path));
}

const JSON_TYPE = "application/json";

function json(status: number, value: unknown) {
  return { status, contentType: JSON_TYPE, text: JSON.stringify(value) };
}
