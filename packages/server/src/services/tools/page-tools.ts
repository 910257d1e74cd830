import type { PageTool } from "@nitka/protocol";
import { ChatError } from "../../chat-error.ts";
import { SEARCH_SITE } from "../../knowledge.ts";
import type { Knowledge } from "../../knowledge.ts";
import { objectSchemaProblem } from "./object-schema.ts";
import type { Model } from "../../model/model.ts";

/** The most characters of all declarations of a page, as JSON. Each request to the model contains them. */
const MAX_TOOLS_CHARS = 100_000;

/**
 * Checks the tools that a page declares with a question.
 *
 * @throws ChatError `unprocessable` naming the first invalid tool
 */
export async function checkPageTools(
  tools: readonly PageTool[],
  model: Model,
  knowledge: Knowledge | undefined,
): Promise<void> {
  if (tools.length === 0) return;
  const names = new Set<string>();
  const own = new Set([...((await model.toolNames?.()) ?? []), ...(knowledge ? [SEARCH_SITE] : [])]);
  for (const { name, parameters } of tools) {
    if (names.has(name)) throw refused(name, "is declared twice.");
    names.add(name);
    const problem = objectSchemaProblem(parameters);
    if (problem !== undefined) throw refused(name, `has parameters that are no JSON Schema of an object: ${problem}.`);
    if (own.has(name)) throw refused(name, "has the name of a tool of the server: give it another one.");
  }
  if (JSON.stringify(tools).length > MAX_TOOLS_CHARS) {
    throw new ChatError(
      "unprocessable",
      `tools: the declarations have more than ${MAX_TOOLS_CHARS} characters together.`,
    );
  }
}

function refused(name: string, why: string): ChatError {
  return new ChatError("unprocessable", `tools: the tool ${JSON.stringify(name)} ${why}`);
}
