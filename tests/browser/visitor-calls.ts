import type { Page } from "@playwright/test";
import type { StreamEvent, ToolAnswer } from "@nitka/protocol";
import type { RunVisitor } from "@nitka/server";
import type { WireEvent } from "./backend.ts";

type Events = AsyncGenerator<WireEvent, void, undefined>;

interface Call {
  readonly toolName: string;
  readonly input?: object;
  readonly toolCallId?: string;
}

/** Calls a tool of the page like a model. Our server waits for the page, and the answer continues with its output. */
export async function* callPage(visitor: RunVisitor | undefined, given: Call): Events {
  const call = { input: {}, toolCallId: "c1", ...given };
  const { toolCallId } = call;
  yield { type: "tool-input-available", ...call };
  const outcome = yield* onTheWire(waiting(visitor).runOnPage(call));
  if (outcome.type === "output") yield { type: "tool-output-available", toolCallId, output: outcome.output };
  if (outcome.type === "failed") yield { type: "tool-output-error", toolCallId, errorText: outcome.errorText };
}

/** Calls a tool of the server that waits for the visitor's approval. */
export async function* callServer(visitor: RunVisitor | undefined, given: Call): Events {
  const call = { input: {}, toolCallId: "c1", ...given };
  const { toolCallId } = call;
  yield { type: "tool-input-available", ...call };
  const approval = yield* onTheWire(waiting(visitor).approve(call));
  if (approval.type === "approved") yield { type: "tool-output-available", toolCallId, output: "готово" };
}

/** Several calls of one turn, which wait for the visitor at the same time. */
export async function* atOnce(...calls: readonly Events[]): Events {
  const next = (call: Events) => call.next().then((step) => ({ call, step }));
  const waits = new Map(calls.map((call) => [call, next(call)]));
  while (waits.size > 0) {
    const { call, step } = await Promise.race(waits.values());
    if (step.done) {
      waits.delete(call);
      continue;
    }
    waits.set(call, next(call));
    yield step.value;
  }
}

/** The same events, as a script yields them. */
async function* onTheWire<T>(
  events: AsyncGenerator<StreamEvent, T, undefined>,
): AsyncGenerator<WireEvent, T, undefined> {
  for (;;) {
    const { done, value } = await events.next();
    if (done) return value;
    yield { ...value };
  }
}

function waiting(visitor: RunVisitor | undefined): RunVisitor {
  if (!visitor) throw new Error("Only our own server waits for its visitor.");
  return visitor;
}

/** The answers to tool calls that a page has sent to the server, and the status of each response other than 200. */
export function watchToolAnswers(page: Page): readonly string[] {
  const told: string[] = [];
  page.on("response", (response) => {
    if (!response.url().endsWith("/run/tool")) return;
    const answer = response.request().postDataJSON() as ToolAnswer;
    const fields = Object.entries({ ...answer, ...("claim" in answer && { claim: "" }) });
    const text = JSON.stringify(Object.fromEntries(fields.filter(([name]) => name !== "toolCallId")));
    told.push(response.status() === 200 ? text : `${text} ${response.status()}`);
  });
  return told;
}
