import { Validator } from "@cfworker/json-schema";
import type { Schema } from "@cfworker/json-schema";

/**
 * Why a value does not match a JSON Schema (draft 2020-12); `undefined` when it does. The schema comes from a page:
 *
 * - Regular expressions in it are ignored, since one of them could take for ever. `format` is one too.
 * - A schema that cannot be evaluated, such as one that refers to itself without an end, matches no value.
 *
 * @example valueProblem({ type: "object", required: ["sku"] }, {}) // 'Instance does not have required property "sku".'
 * @example valueProblem({ properties: { count: { minimum: 1 } } }, { count: 0 }) // "/count: 0 is less than 1."
 */
export function valueProblem(schema: object, value: unknown): string | undefined {
  try {
    const { valid, errors } = new Validator(withoutPatterns(schema), "2020-12").validate(value);
    if (valid) return undefined;
    // The last error is the innermost: it names the value that is wrong.
    const { instanceLocation = "#", error = "the value does not match" } = errors.at(-1) ?? {};
    return instanceLocation === "#" ? error : `${instanceLocation.slice(1)}: ${error}`;
  } catch (error) {
    return `the schema cannot be evaluated: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function withoutPatterns(schema: object): Schema {
  return JSON.parse(JSON.stringify(schema, withoutPattern)) as Schema;
}

/** Drops the keywords. A property of the name `pattern` stays: its schema is no text. */
function withoutPattern(keyword: string, value: unknown): unknown {
  const isPattern =
    keyword === "patternProperties" || (/^(pattern|format)$/.test(keyword) && typeof value === "string");
  return isPattern ? undefined : value;
}
