import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ShownFile, Turn } from "./conversation.ts";

/** A prompt in the demo's terms; what the tool of the step before returned, if the prompt ends with that. */
export interface ReadPrompt {
  readonly turns: readonly Turn[];
  readonly toolOutput?: unknown;
}

/** Reads what the AI SDK sends to a model. Answers in several steps count as one turn each; it matters to nobody. */
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
  // What the assistant said after the question belongs to the answer that is being given.
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

/** Only of a text does the prompt hold the content; of other kinds, why it is missing. */
function isReadable(mediaType: string): boolean {
  return mediaType.startsWith("text/") || /[/+](json|xml|yaml|x-yaml|toml|javascript|sql)$/.test(mediaType);
}
