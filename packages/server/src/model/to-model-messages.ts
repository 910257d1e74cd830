import type { Message, Part } from "@nitka/protocol";
import { partsOf } from "@nitka/protocol/message";
import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from "ai";
import { userContent } from "./user-content.ts";
import type { ByteBudget, ReadAttachment } from "./user-content.ts";

/** Bytes of files in one request: about what the large providers take. */
const MAX_FILE_BYTES = 20_000_000;

/** Of one tool's result. */
const MAX_RESULT_CHARS = 50_000;

/**
 * A branch as the AI SDK's prompt. Empty turns and tool calls without a result are left out with nothing in their
 * place; so are system messages, which only the project may give (`instructions`), and reasoning, which providers
 * take back from themselves alone.
 */
export async function toModelMessages(history: readonly Message[], read: ReadAttachment): Promise<ModelMessage[]> {
  const budget: ByteBudget = { left: MAX_FILE_BYTES };
  const turns: ModelMessage[][] = [];
  // From the last message on: where files are too many, those of the newest messages go with it.
  for (const message of history.toReversed()) {
    if (message.role === "user") {
      const content = await userContent(message, read, budget);
      if (content) turns.push([{ role: "user", content: onlyText(content) ?? content }]);
    } else if (message.role === "assistant") {
      turns.push(assistantTurns(partsOf(message)));
    }
  }
  return turns.toReversed().flat();
}

/** A message that is one text is sent as a plain string: the one form that every upstream understands. */
function onlyText(content: Exclude<Awaited<ReturnType<typeof userContent>>, undefined>): string | undefined {
  const [first] = content;
  return content.length === 1 && first?.type === "text" ? first.text : undefined;
}

type AssistantPart = Exclude<AssistantModelMessage["content"], string>[number];
type ToolPart = ToolModelMessage["content"][number];

/** An answer with tools is several turns: what was said and called, what the tools returned, what was said then. */
function assistantTurns(parts: readonly Part[]): ModelMessage[] {
  const turns: ModelMessage[] = [];
  let said: AssistantPart[] = [];
  let returned: ToolPart[] = [];
  const close = () => {
    if (said.length > 0) turns.push({ role: "assistant", content: said });
    if (returned.length > 0) turns.push({ role: "tool", content: returned });
    said = [];
    returned = [];
  };
  for (const part of parts) {
    if (part.type === "text" && part.text.trim() !== "") {
      if (returned.length > 0) close();
      said.push({ type: "text", text: part.text });
    } else if (part.type === "tool-call" && part.result !== undefined && part.toolName !== "") {
      const { toolCallId, toolName } = part;
      said.push({ type: "tool-call", toolCallId, toolName, input: inputOf(part.args, part.argsText) });
      returned.push({
        type: "tool-result",
        toolCallId,
        toolName,
        output: outputOf(part.result, part.isError ?? false),
      });
    }
  }
  close();
  return turns;
}

function inputOf(args: unknown, argsText: string): unknown {
  if (isObject(args)) return args;
  try {
    const parsed: unknown = JSON.parse(argsText);
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function outputOf(result: unknown, isError: boolean): Extract<ToolPart, { type: "tool-result" }>["output"] {
  const text = typeof result === "string" ? result : (JSON.stringify(result) ?? "null");
  const value = text.length <= MAX_RESULT_CHARS ? text : `${text.slice(0, MAX_RESULT_CHARS)}…`;
  return { type: isError ? "error-text" : "text", value };
}
