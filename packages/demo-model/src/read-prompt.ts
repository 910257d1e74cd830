import type { LanguageModelV4Prompt, LanguageModelV4ToolResultOutput } from "@ai-sdk/provider";
import type { EndedCall, ShownFile, Turn } from "./conversation.ts";

/** The turns of a prompt, the page's context, and the tool call that the prompt ends with. */
export interface ReadPrompt {
  readonly turns: readonly Turn[];
  readonly pageContext?: unknown;
  readonly toolCall?: EndedCall;
}

/** Reads a prompt of the AI SDK. */
export function readPrompt(prompt: LanguageModelV4Prompt): ReadPrompt {
  const turns: Turn[] = [];
  for (const message of prompt) {
    if (message.role === "user") turns.push(userTurn(message.content));
    if (message.role === "assistant") {
      const text = message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
      turns.push({ role: "assistant", text, files: [] });
    }
  }
  const asked = turns.findLastIndex((turn) => turn.role === "user");
  // Assistant messages after the question belong to the current answer.
  const upTo = turns.slice(0, asked + 1);
  const toolCall = endedCall(prompt);
  return { turns: upTo, pageContext: pageContextIn(prompt), ...(toolCall && { toolCall }) };
}

/** The beginning of the data that the server adds to a question, as its last text. */
const addedData = /^<(page-context|visitor-data)>\n|^\(The data of the page/;

/** The page's context: the JSON in the frame of the last question. */
function pageContextIn(prompt: LanguageModelV4Prompt): unknown {
  const question = prompt.findLast((message) => message.role === "user")?.content.at(-1);
  if (question?.type !== "text") return undefined;
  const [, json = ""] = /^<page-context>\n.*\n(.*)\n<\/page-context>/.exec(question.text) ?? [];
  try {
    return JSON.parse(json);
  } catch {
    // There is no frame, or the visitor wrote something that looks like one.
    return undefined;
  }
}

/** The tool call whose result ends a prompt. */
function endedCall(prompt: LanguageModelV4Prompt): EndedCall | undefined {
  const [called, returned] = prompt.slice(-2);
  if (called?.role !== "assistant" || returned?.role !== "tool") return undefined;
  const result = returned.content.find((part) => part.type === "tool-result");
  const call = called.content.find((part) => part.type === "tool-call" && part.toolCallId === result?.toolCallId);
  if (!result || call?.type !== "tool-call") return undefined;
  return { toolName: call.toolName, input: call.input, outcome: outcomeOf(result.output) };
}

function outcomeOf(output: LanguageModelV4ToolResultOutput): EndedCall["outcome"] {
  switch (output.type) {
    case "execution-denied":
      return { type: "denied", reason: output.reason ?? "" };
    case "error-text":
      return { type: "failed", reason: output.value };
    case "error-json":
      return { type: "failed", reason: JSON.stringify(output.value) };
    default:
      return { type: "returned", output: output.value };
  }
}

type UserMessage = Extract<LanguageModelV4Prompt[number], { role: "user" }>;

const attachmentTag =
  /^<attachment name="([^"]*)" type="([^"]*)">\n(?:\(The text of the visitor's file\.[^\n]*\)\n)?(.*)\n<\/attachment>$/s;

function userTurn(content: UserMessage["content"]): Turn {
  const texts: string[] = [];
  const files: ShownFile[] = [];
  for (const [index, part] of content.entries()) {
    if (part.type === "text" && index > 0 && index === content.length - 1 && addedData.test(part.text)) continue;
    if (part.type === "file") {
      const bytes = part.data.type === "data" ? part.data.data : undefined;
      files.push({
        name: part.filename ?? part.mediaType,
        mediaType: part.mediaType,
        ...(bytes === undefined ? {} : { bytes: typeof bytes === "string" ? Buffer.from(bytes, "base64") : bytes }),
      });
      continue;
    }
    const [, name, mediaType, text] = attachmentTag.exec(part.text) ?? [];
    if (name === undefined || mediaType === undefined) texts.push(part.text);
    else files.push(isReadable(mediaType) && text !== undefined ? { name, mediaType, text } : { name, mediaType });
  }
  return { role: "user", text: texts.join("\n\n"), files };
}

/** Whether a prompt contains the file's text. For other files it contains the reason why the file is missing. */
function isReadable(mediaType: string): boolean {
  return mediaType.startsWith("text/") || /[/+](json|xml|yaml|x-yaml|toml|javascript|sql)$/.test(mediaType);
}
