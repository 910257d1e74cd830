import type { StreamEvent } from "@nitka/protocol";
import type { Model, ModelRequest } from "../model/model.ts";
import type { Approval, PageOutcome, VisitorCall } from "../model/run-visitor.ts";
import { sideBySide } from "../model/steps/step-loop.ts";

/** A tool call of a `CallingModel`: `page` tools run on the visitor's page, the others need an approval. */
export interface ScriptedCall extends VisitorCall {
  readonly kind: "approval" | "page";
}

/** A model that makes these tool calls at once, and then says how they ended. It asks the visitor like any model. */
export interface CallingModel extends Model {
  readonly requests: readonly ModelRequest[];
  /** How the calls ended, by their ids. */
  readonly outcomes: ReadonlyMap<string, Approval | PageOutcome>;
}

export function createCallingModel(calls: readonly ScriptedCall[]): CallingModel {
  const requests: ModelRequest[] = [];
  const outcomes = new Map<string, Approval | PageOutcome>();
  return {
    id: "calling",
    name: "calling",
    requests,
    outcomes,
    title: async () => undefined,
    async *run(request) {
      requests.push(request);
      for (const { kind: _, ...call } of calls) yield { type: "tool-input-available", ...call };
      try {
        yield* sideBySide(
          calls.map((call) => waitFor(call, request, outcomes)),
          request.signal,
        );
      } catch (error) {
        if (!request.signal.aborted) throw error;
        return {};
      }
      yield { type: "text-start", id: "t" };
      yield { type: "text-delta", id: "t", delta: "Готово" };
      yield { type: "text-end", id: "t" };
      return {};
    },
  };
}

async function* waitFor(
  { kind, ...call }: ScriptedCall,
  { visitor }: ModelRequest,
  outcomes: Map<string, Approval | PageOutcome>,
): AsyncGenerator<StreamEvent, void, undefined> {
  const { toolCallId } = call;
  const outcome = kind === "page" ? yield* visitor.runOnPage(call) : yield* visitor.approve(call);
  outcomes.set(toolCallId, outcome);
  if (outcome.type === "output") yield { type: "tool-output-available", toolCallId, output: outcome.output };
  if (outcome.type === "failed") yield { type: "tool-output-error", toolCallId, errorText: outcome.errorText };
  if (outcome.type === "approved") yield { type: "tool-output-available", toolCallId, output: "ok" };
}
