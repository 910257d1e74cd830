import { DONE } from "@nitka/protocol/sse";
import { parseStreamEvent } from "@nitka/protocol/stream-event";
import type { Section } from "./check.ts";
import { demand, excerpt, jsonOf } from "./nonconformance.ts";
import { tailOf } from "./run-reader.ts";
import type { Session } from "./session.ts";
import type { StreamEvent } from "@nitka/protocol";

/** Events that have no effect, and that a reader may skip. */
const silent = new Set(["start-step", "finish-step", "message-metadata", "text-start", "text-end"]);

/** The data of every event in the conversation's stream, without `[DONE]`. */
async function eventData(session: Session) {
  const { run } = await session.talk();
  return { request: run.request, data: run.frames().flatMap(({ data }) => (data === DONE ? [] : data)) };
}

export const streamChecks: Section = {
  name: "Stream",
  checks: [
    {
      title: "a question is answered by a stream of events",
      rule: "an event stream",
      run: async (session) => {
        const { run } = await session.talk();
        demand(run.frames().length > 0, run.request, "events", excerpt(run.text()) || "an empty body");
      },
    },
    {
      title: "each line begins with data:, and blank lines separate the events",
      rule: "For all others every line begins with `data:`.",
      run: async (session) => {
        const { run } = await session.talk();
        const line = run
          .text()
          .split(/\r\n?|\n/)
          .find((text) => text !== "" && !text.startsWith("data:"));
        demand(line === undefined, run.request, "lines that begin with data:", excerpt(line ?? ""));
        const double = run.frames().find(({ data }) => data.includes("\n"));
        demand(double === undefined, run.request, "a blank line after each event", excerpt(double?.data ?? ""));
        demand(/(\n\n|\r\r|\r\n\r\n)$/.test(run.text()), run.request, "a blank line at the end", tailOf(run.text()));
      },
    },
    {
      title: "each event is a JSON object with a type",
      rule: "one JSON event in each `data:` line, blank lines between them, `data: [DONE]` at the end.",
      run: async (session) => {
        const { request, data } = await eventData(session);
        const wrong = data.find((text) => typeof fieldsOf(text)?.["type"] !== "string");
        demand(wrong === undefined, request, 'an object with "type"', excerpt(wrong ?? ""));
      },
    },
    {
      title: "each event has the fields that its type needs",
      rule: "The widget skips events that it cannot parse or does not know.",
      run: async (session) => {
        const { request, data } = await eventData(session);
        const wrong = data.find((text) => {
          const { type, transient } = fieldsOf(text) ?? {};
          const isSkipped = silent.has(String(type)) || transient === true;
          // A delta without text is harmless, and some providers send it.
          return !isSkipped && !/"(delta|text)":""/.test(text) && parseStreamEvent(text) === undefined;
        });
        demand(wrong === undefined, request, "a type of the protocol, with its fields", excerpt(wrong ?? ""));
      },
    },
    {
      title: "the events come in order: start, parts, one end",
      rule: "`finish`, `[DONE]`, `error` and `abort` end the answer.",
      run: async (session) => {
        const { run } = await session.talk();
        const problem = streamProblem(run.events());
        demand(problem === undefined, run.request, "start, parts, one end", problem ?? "");
      },
    },
    {
      title: "the answer ends with finish",
      rule: "end the answer: complete, failed, stopped",
      run: async (session) => {
        const { run } = await session.talk();
        const error = run.events().find((event) => event.type === "error");
        demand(error === undefined, run.request, "an answer that finishes", `error: ${error?.errorText}`);
        const isFinished = run.events().some(({ type }) => type === "finish");
        demand(isFinished, run.request, 'an event {"type":"finish"}', `the end ${tailOf(run.text())}`);
      },
    },
    {
      title: "data: [DONE] is the last line",
      rule: "`data: [DONE]` at the end.",
      run: async (session) => {
        const { run } = await session.talk();
        const last = run.frames().at(-1)?.data;
        demand(last === DONE, run.request, "data: [DONE] at the end", tailOf(run.text()));
      },
    },
    {
      title: "the stream is not stored by caches",
      rule: "A stream is `Cache-Control: no-store` or `no-cache`, so that no cache on the way keeps it or waits for its end.",
      level: "advice",
      run: async (session) => {
        const { run } = await session.talk();
        const control = run.headers.get("cache-control");
        demand(/no-(store|cache)/.test(control ?? ""), run.request, "Cache-Control: no-store", control ?? "none");
      },
    },
    {
      title: "clients of the AI SDK recognise the stream",
      rule: "The header `x-vercel-ai-ui-message-stream: v1` names the format to clients of the AI SDK.",
      level: "advice",
      run: async (session) => {
        const { run } = await session.talk();
        const version = run.headers.get("x-vercel-ai-ui-message-stream");
        demand(version === "v1", run.request, "x-vercel-ai-ui-message-stream: v1", version ?? "none");
      },
    },
  ],
};

function fieldsOf(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = jsonOf(text);
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
}

/** Events that do not belong to the answer, or that may follow its end. */
const anywhere = /^data-(title|thread-title|suggestions|thinking|progress|error)$|^thread-rename$/;

/**
 * The problem with the order of a stream's events.
 *
 * @example streamProblem([{ type: "finish" }, { type: "text-delta", delta: "a" }]) // "text-delta after finish"
 */
function streamProblem(events: readonly StreamEvent[]): string | undefined {
  const calls = new Set<string>();
  const closed = new Set<string>();
  let end: string | undefined;
  let parts = 0;
  for (const event of events) {
    const { type } = event;
    if (anywhere.test(type)) continue;
    if (end !== undefined) return `${type} after ${end}`;
    if (type === "start" && parts > 0) return "start after the first part";
    if (type === "finish" || type === "error" || type === "abort") end = type;
    else if (type !== "start") parts += 1;

    if (type === "tool-input-start" || type === "tool-input-available" || type === "tool-input-error") {
      calls.add(event.toolCallId);
    } else if ("toolCallId" in event && !calls.has(event.toolCallId)) {
      return `${type} of the tool call ${event.toolCallId}, which no event has announced`;
    }
    if (type === "text-start" || type === "reasoning-start") closed.delete(String(event.id));
    if (type === "text-end" || type === "reasoning-end") closed.add(String(event.id));
    if ((type === "text-delta" || type === "reasoning-delta") && event.id !== undefined && closed.has(event.id)) {
      return `${type} of the block ${event.id}, which has ended`;
    }
  }
  return undefined;
}
