import { z } from "zod";
import { ChatError } from "../chat-error.ts";
import { MAX_SEQ } from "../services/run-service.ts";
import type { RunService, RunStream } from "../services/run-service.ts";
import { operation } from "./operation.ts";
import type { AnyOperation, Reply } from "./operation.ts";
import { nothing, userMessage } from "./wire.ts";

const runRequest = z.object({
  messages: z.array(userMessage).length(1, "must hold exactly one message, the visitor's new one"),
  trigger: z.enum(["submit-message", "regenerate-message"]).nullish(),
  model: z.string().nullish().describe("one of the config's models; the project's own choice without it"),
});

const cursor = z.object({ cursor: z.enum(["0", "1"]).optional().describe("1: number the events by `id:` lines") });
const after = z.object({
  after: z.coerce
    .number()
    .int()
    .min(0)
    .max(MAX_SEQ)
    .optional()
    .describe("as `Last-Event-ID`: only the events after this number"),
});

const stream = {
  description: "the AI SDK's UI message stream: one JSON event in each `data:` line, at last `data: [DONE]`",
  contentType: "text/event-stream",
} as const;

export function runOperations(runs: RunService): readonly AnyOperation[] {
  return [
    operation({
      name: "run",
      method: "POST",
      path: "/api/debug/threads/:id/run/stream",
      summary: "Asks. The message's id names the run: posted again, it joins what it began, or replays its answer.",
      takes: "json with data URLs",
      body: runRequest,
      query: cursor,
      answers: { 200: stream },
      welcomesStrangers: false,
      async handle({ owner, project, id, body, query, take }) {
        const [question] = body.messages;
        if (!question) throw new ChatError("unprocessable", "messages must hold the visitor's new message.");
        const run = await runs.ask(owner, project, id, {
          question,
          trigger: body.trigger ?? "submit-message",
          modelId: body.model ?? undefined,
          admit: () => take("messages"),
        });
        return streamOf(run, { numbered: query.cursor === "1", after: 0 });
      },
    }),
    operation({
      name: "joinRun",
      method: "GET",
      path: "/api/debug/threads/:id/run/stream",
      summary: "Joins the run in progress: its events from the first on, or after the number of the last one seen.",
      takes: "nothing",
      query: after,
      answers: { 200: stream, 204: { description: "no run is in progress" } },
      welcomesStrangers: false,
      async handle({ request, owner, id, query }) {
        const run = await runs.join(owner, id);
        if (!run) return { type: "empty", status: 204 };
        return streamOf(run, { numbered: true, after: query.after ?? lastEventId(request) });
      },
    }),
    operation({
      name: "cancelRun",
      method: "POST",
      path: "/api/debug/threads/:id/run/cancel",
      summary: "Stops the run in progress; what it has written is kept.",
      takes: "json",
      body: nothing,
      answers: {
        200: { description: "whether there was a run", schema: z.object({ cancelled: z.boolean() }) },
      },
      welcomesStrangers: false,
      async handle({ owner, id }) {
        return { type: "json", value: { cancelled: await runs.cancel(owner, id) } };
      },
    }),
  ];
}

function streamOf(run: RunStream, options: { readonly numbered: boolean; readonly after: number }): Reply {
  return { type: "stream", start: (sink) => run.serve(sink, options) };
}

/** Browsers send what they last read, whoever wrote it: what is no number of ours is as good as none. */
function lastEventId(request: Request): number {
  const id = Number(request.headers.get("last-event-id") ?? 0);
  return Number.isSafeInteger(id) && id > 0 && id <= MAX_SEQ ? id : 0;
}
