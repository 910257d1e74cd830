import { randomUUID } from "node:crypto";
import type { StreamEvent } from "@nitka/protocol";
import { textOf } from "@nitka/protocol/message";
import { SEARCH_SITE } from "../../knowledge.ts";
import type { SiteSearch } from "../../knowledge.ts";
import type { ModelRequest } from "../model.ts";
import { errorText, runToolCall, serverTool } from "../steps/tool-calls.ts";
import type { ToolCallContext } from "../steps/tool-calls.ts";
import type { FoundPassages } from "./search-site.ts";

/** The result of a search for the question, with its events. */
interface LookedUp {
  readonly siteSearch: SiteSearch;
  /** To be yielded with the first content of the answer: until then a fallback may answer, which searches itself. */
  readonly events: readonly StreamEvent[];
}

/**
 * Searches once with the question, for a model that does not get tools. Visitors see the search as a tool call, and
 * approve it if the project requires that: then the events cannot wait and are yielded at once.
 */
export async function* lookUp(
  found: FoundPassages,
  { history, visitor }: Pick<ModelRequest, "history" | "visitor">,
  context: Pick<ToolCallContext, "clock" | "toolMs" | "signal" | "trace">,
): AsyncGenerator<StreamEvent, LookedUp, undefined> {
  const question = history.at(-1);
  const query = question ? textOf(question) : "";
  const call = { toolCallId: `search-${randomUUID()}`, toolName: SEARCH_SITE, input: { query } };
  const { toolCallId } = call;
  const tools = found.tools();
  const called = { type: "tool-input-available", ...call } as const;
  const asks = visitor.mustApprove(serverTool(SEARCH_SITE, {}));
  if (asks) yield called;
  const outcome = yield* runToolCall(call, { ...context, tools, visitor: { ...visitor, tools: [] }, messages: [] });
  const result = outcome?.result;
  const ended: readonly StreamEvent[] =
    result === undefined
      ? []
      : result.type === "output"
        ? [{ type: "tool-output-available", toolCallId, output: result.output }]
        : [{ type: "tool-output-error", toolCallId, errorText: errorText(result.error) }];
  if (asks) yield* ended;
  return {
    siteSearch:
      result?.type === "output" ? (result.output as SiteSearch) : { passages: [], note: "There was no search." },
    events: asks ? [] : [called, ...ended],
  };
}
