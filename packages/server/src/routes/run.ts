import { MAX_PAGE_CONTEXT_CHARS, MAX_PAGE_TOOLS } from "@nitka/protocol/page-tool";
import { z } from "zod";
import { unprocessable } from "../chat-error.ts";
import type { Visitor } from "../http/visitor-credentials.ts";
import type { QuestionContext } from "../services/questions/question-context.ts";
import { fileCharsOf } from "../services/files/question-files.ts";
import type { RunService } from "../services/questions/run-service.ts";
import type { RunStream } from "../services/runs/run-streams.ts";
import { operation } from "./operation.ts";
import type { AnyOperation, OperationResponse } from "./operation.ts";
import { streamEvent } from "./stream-event-schemas.ts";
import { nothing, pageTool, userMessage } from "./wire-schemas.ts";

const runRequest = z.object({
  messages: z.array(userMessage).length(1, "must hold exactly one message, the visitor's new one"),
  trigger: z.enum(["submit-message", "regenerate-message"]).nullish(),
  model: z.string().nullish().describe("one of the config's models; by default the project's own choice"),
  tools: z.array(pageTool).max(MAX_PAGE_TOOLS, `must be at most ${MAX_PAGE_TOOLS}`).nullish(),
  pageContext: z
    .unknown()
    .refine(isModest, `has at most ${MAX_PAGE_CONTEXT_CHARS} characters as JSON`)
    .optional()
    .describe("what the page shows: data for the model, only for this question"),
});

function isModest(pageContext: unknown): boolean {
  return (JSON.stringify(pageContext)?.length ?? 0) <= MAX_PAGE_CONTEXT_CHARS;
}

const cursor = z.object({
  cursor: z.enum(["0", "1"]).optional().describe("1: give each event its `id:` line, `<run>:<number>`"),
});
const after = z.object({
  after: z.string().optional().describe("an event's id, as in `Last-Event-ID`: only the later events of its run"),
});

/** The AI SDK's UI message stream, version 1: see docs/protocol.md, "The stream". */
const stream = {
  description: "the AI SDK's UI message stream: one JSON event in each `data:` line, then `data: [DONE]`",
  contentType: "text/event-stream",
  schema: streamEvent,
} as const;

export function runOperations(runs: RunService): readonly AnyOperation[] {
  return [
    operation({
      name: "run",
      method: "POST",
      path: "/api/debug/threads/:id/run/stream",
      summary:
        "Sends a question. Its message's id is an idempotency key: posting it again joins its run, or replays its answer.",
      takes: "json",
      body: runRequest,
      opaque: ["pageContext", "tools.parameters"],
      fileChars: ({ messages }) => messages.reduce((sum, message) => sum + fileCharsOf(message), 0),
      query: cursor,
      responses: { 200: stream },
      needsConsent: true,
      async handle({ owner, project, visitor, id, body, query, admit, takeBytes, requestId, note }) {
        const [question] = body.messages;
        if (!question) throw unprocessable("messages must hold the visitor's new message.");
        const run = await runs.ask(owner, project, id, {
          question,
          trigger: body.trigger ?? "submit-message",
          modelId: body.model ?? undefined,
          tools: body.tools ?? [],
          context: { pageContext: body.pageContext, asker: askerOf(visitor) },
          admit,
          takeBytes,
          requestId,
        });
        note({ threadId: id, runId: run.runId });
        return streamOf(run, { withIds: query.cursor === "1" });
      },
    }),
    operation({
      name: "joinRun",
      method: "GET",
      path: "/api/debug/threads/:id/run/stream",
      summary: "Joins the run in progress: returns its events from the first on, or those after the given event.",
      takes: "nothing",
      query: after,
      responses: {
        200: stream,
        204: { description: "no run is in progress, or not the one that the event belongs to" },
      },
      async handle({ request, owner, project, id, query, note }) {
        // An empty id counts as none: EventSource sends one before its first event.
        const lastEventId = query.after ?? request.headers.get("last-event-id");
        const run = await runs.join(owner, project, id, lastEventId || undefined);
        if (run) note({ threadId: id, runId: run.runId });
        return run ? streamOf(run, { withIds: true }) : { type: "empty", status: 204 };
      },
    }),
    operation({
      name: "cancelRun",
      method: "POST",
      path: "/api/debug/threads/:id/run/cancel",
      summary: "Stops the run in progress and keeps the partial answer.",
      takes: "json",
      body: nothing,
      responses: {
        200: { description: "whether there was a run", schema: z.object({ cancelled: z.boolean() }) },
      },
      async handle({ owner, id }) {
        return { type: "json", value: { cancelled: await runs.cancel(owner, id) } };
      },
    }),
  ];
}

function askerOf(visitor: Visitor): QuestionContext["asker"] {
  return visitor.by === "host"
    ? { sub: visitor.sub, anonymous: false, claims: visitor.claims }
    : { sub: visitor.visitorId, anonymous: true, claims: {} };
}

function streamOf(run: RunStream, options: { readonly withIds: boolean }): OperationResponse {
  return { type: "stream", start: (sink) => run.serve(sink, options) };
}
