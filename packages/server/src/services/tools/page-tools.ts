import type { PageTool } from "@nitka/protocol";
import type { ChatError } from "../../chat-error.ts";
import { unprocessable } from "../../chat-error.ts";
import { SEARCH_SITE } from "../../knowledge.ts";
import type { Knowledge } from "../../knowledge.ts";
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
    throw unprocessable(`tools: the declarations have more than ${MAX_TOOLS_CHARS} characters together.`);
  }
}

function refused(name: string, why: string): ChatError {
  return unprocessable(`tools: the tool ${JSON.stringify(name)} ${why}`);
}

/**
 * Why a value is not a JSON Schema of an object; `undefined` when it is one. The text names the place of the problem.
 *
 * @example objectSchemaProblem({ type: "object", properties: { sku: 7 } }) // "properties.sku must be a schema"
 */
export function objectSchemaProblem(schema: unknown): string | undefined {
  if (!isObject(schema)) return "it must be a JSON Schema, an object";
  if (schema["type"] !== "object") return 'type must be "object"';
  return schemaProblem(schema, "");
}

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const nested: Readonly<Record<string, "one" | "list" | "named">> = {
  additionalProperties: "one",
  items: "one",
  anyOf: "list",
  oneOf: "list",
  allOf: "list",
  properties: "named",
};

const typeNames = ["array", "boolean", "integer", "null", "number", "object", "string"];

function schemaProblem(schema: unknown, where: string): string | undefined {
  if (typeof schema === "boolean") return undefined;
  if (!isObject(schema)) return `${where} must be a schema`;
  const at = (name: string) => (where === "" ? name : `${where}.${name}`);
  if (typesOf(schema).length < [schema["type"] ?? []].flat().length) {
    return `${at("type")} must be one of ${typeNames.join(", ")}`;
  }
  const required = schema["required"] ?? [];
  if (!Array.isArray(required) || !required.every((name) => typeof name === "string")) {
    return `${at("required")} must be a list of names`;
  }
  if (schema["enum"] !== undefined && !Array.isArray(schema["enum"])) return `${at("enum")} must be a list`;
  for (const [keyword, kind] of Object.entries(nested)) {
    const value = schema[keyword];
    if (value === undefined || value === null) continue;
    if (kind === "list" && !Array.isArray(value)) return `${at(keyword)} must be a list of schemas`;
    if (kind === "named" && !isObject(value)) return `${at(keyword)} must be schemas by name`;
    const inner =
      kind === "one"
        ? [schemaProblem(value, at(keyword))]
        : Object.entries(value).map(([name, one]) => schemaProblem(one, `${at(keyword)}.${name}`));
    const problem = inner.find((each) => each !== undefined);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The valid types that a schema names. */
function typesOf(schema: Readonly<Record<string, unknown>>): readonly string[] {
  const named = new Set<unknown>([schema["type"] ?? []].flat());
  return typeNames.filter((type) => named.has(type));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
