import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ShownFile, Turn } from "./conversation.ts";

/** The turns of a prompt, and the tool result that it ends with, if any. */
export interface ReadPrompt {
  readonly turns: readonly Turn[];
  readonly toolOutput?: unknown;
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
  const last = prompt.at(-1);
  const returned = last?.role === "tool" ? last.content.find((part) => part.type === "tool-result") : undefined;
  // Assistant messages after the question belong to the current answer.
  const upTo = turns.slice(0, asked + 1);
  if (!returned) return { turns: upTo };
  const { output } = returned;
  return { turns: upTo, toolOutput: "value" in output ? output.value : {} };
}

type UserMessage = Extract<LanguageModelV4Prompt[number], { role: "user" }>;

const attachmentTag = /^<attachment name="([^"]*)" type="([^"]*)">\n(.*)\n<\/attachment>$/s;

function userTurn(content: UserMessage["content"]): Turn {
  const texts: string[] = [];
  const files: ShownFile[] = [];
  for (const part of content) {
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

/** Whether a prompt contains the file's text. For other kinds it contains the reason why the file is missing. */
function isReadable(mediaType: string): boolean {
  return mediaType.startsWith("text/") || /[/+](json|xml|yaml|x-yaml|toml|javascript|sql)$/.test(mediaType);
}
