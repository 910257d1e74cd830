import { Hono } from "hono";
import type { NodeBindings } from "../http/bindings.ts";
import { safetyHeaders } from "../http/safety-headers.ts";
import type { AnyOperation } from "./operation.ts";
import { answerCall } from "./answer-call.ts";
import type { CallOptions } from "./answer-call.ts";
import type { ServerPage } from "./health.ts";
import { observed } from "./observed.ts";
import type { ObserveOptions } from "./observed.ts";
import { toErrorReply } from "../http/error-response.ts";
import { ChatError } from "../chat-error.ts";

export interface RouterOptions extends CallOptions, ObserveOptions {
  readonly operations: readonly AnyOperation[];
  readonly pages: readonly ServerPage[];
  /** What stands before every path; "" for nothing. */
  readonly basePath: string;
}

/** Every path of the server: the calls of the project `default`, the same under `/p/{projectId}`, and its own pages. */
export function createRouter(options: RouterOptions): Hono<{ Bindings: NodeBindings }> {
  const app = new Hono<{ Bindings: NodeBindings }>({ strict: false }).basePath(options.basePath);
  const { operations, pages } = options;

  for (const [path, group] of Map.groupBy(operations, (operation) => operation.path)) {
    for (const route of [path, `/p/:project${path}`]) {
      app.all(route, ({ req, env }) => {
        const place = { projectId: req.param("project"), id: req.param("id") ?? "" };
        const bindings = env ?? {};
        return observed(options, { request: req.raw, route }, (seen) =>
          answerCall(options, group, place, { request: req.raw, bindings, ...seen }),
        );
      });
    }
  }

  for (const { path, read } of pages) {
    app.all(path, ({ req }) =>
      observed(options, { request: req.raw, route: path, quiet: true }, async ({ requestId }) => {
        const headers = { ...safetyHeaders, "x-request-id": requestId };
        if (req.raw.method !== "GET" && req.raw.method !== "HEAD") {
          return refusal(new ChatError("method_not_allowed", "This page is only read."), {
            ...headers,
            allow: "GET, HEAD",
          });
        }
        const { status, contentType, text } = await read();
        return new Response(text, { status, headers: { ...headers, "content-type": contentType } });
      }),
    );
  }

  app.notFound(({ req }) =>
    observed(options, { request: req.raw, route: "(none)" }, async ({ requestId }) =>
      refusal(new ChatError("not_found", "There is nothing at this address."), {
        ...safetyHeaders,
        "x-request-id": requestId,
      }),
    ),
  );
  return app;
}

function refusal(error: ChatError, headers: Readonly<Record<string, string>>): Response {
  const { status, problem } = toErrorReply(error);
  return Response.json(problem, { status, headers });
}
