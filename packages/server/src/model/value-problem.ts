import { Validator } from "@cfworker/json-schema";
import type { Schema } from "@cfworker/json-schema";

/**
 * Why a value does not match a JSON Schema (draft 2020-12); `undefined` when it does. The schema comes from a page:
 *
 * - Regular expressions in it are ignored, since one of them could run for ever. `format` is one too.
 * - A schema that cannot be evaluated, such as one with endless self-references, matches no value. Nor does one that
 *   follows too many references: thirty definitions that each reference the next one twice are a billion steps.
 *
 * @example valueProblem({ type: "object", required: ["sku"] }, {}) // 'Instance does not have required property "sku".'
 * @example valueProblem({ properties: { count: { minimum: 1 } } }, { count: 0 }) // "/count: 0 is less than 1."
 */
export function valueProblem(schema: object, value: unknown): string | undefined {
  try {
    const { valid, errors } = new Validator(withCountedReferences(withoutPatterns(schema)), "2020-12").validate(value);
    if (valid) return undefined;
    // The last error is the innermost: it names the invalid value.
    const { instanceLocation = "#", error = "the value does not match" } = errors.at(-1) ?? {};
    return instanceLocation === "#" ? error : `${instanceLocation.slice(1)}: ${error}`;
  } catch (error) {
    return `the schema cannot be evaluated: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Without references, the duration of a check is bounded by the size of the schema and the value. */
const MAX_REFERENCES = 10_000;

/**
 * The same schema, whose references throw after too many reads: the validator reads a reference each time it follows
 * it.
 */
function withCountedReferences(schema: Schema): Schema {
  let followed = 0;
  const follow = (reference: string) => {
    followed += 1;
    if (followed > MAX_REFERENCES) throw new Error(`it follows more than ${MAX_REFERENCES} references`);
    return reference;
  };
  const count = (_: string, value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    for (const [keyword, reference] of Object.entries(value)) {
      if (!/^\$(?:dynamic|recursive)?ref$/i.test(keyword) || typeof reference !== "string") continue;
      Object.defineProperty(value, keyword, { get: () => follow(reference), enumerable: true });
    }
    return value;
  };
  return JSON.parse(JSON.stringify(schema), count) as Schema;
}

function withoutPatterns(schema: object): Schema {
  return JSON.parse(JSON.stringify(schema, withoutPattern)) as Schema;
}

/** Drops the keywords. A property with the name `pattern` stays, because its schema is not a text. */
function withoutPattern(keyword: string, value: unknown): unknown {
  const isPattern =
    keyword === "patternProperties" || (/^(pattern|format)$/.test(keyword) && typeof value === "string");
  return isPattern ? undefined : value;
}
