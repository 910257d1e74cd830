/** A JSON Schema. `true` takes every value, `false` none. */
type Schema = boolean | Readonly<Record<string, unknown>>;

/**
 * Why a value is no JSON Schema of an object; `undefined` when it is one. `where` names the place of the problem.
 *
 * @example objectSchemaProblem({ type: "object", properties: { sku: 7 } }) // "properties.sku must be a schema"
 */
export function objectSchemaProblem(schema: unknown): string | undefined {
  if (!isObject(schema)) return "it must be a JSON Schema, an object";
  if (schema["type"] !== "object") return 'type must be "object"';
  return schemaProblem(schema, "");
}

/**
 * Why a value does not match a schema; `undefined` when it does.
 *
 * It knows the keywords of types, properties, items, limits, `enum`, `const`, `anyOf`, `oneOf` and `allOf`. Others let
 * every value pass: a schema comes from a page, and `pattern` could take for ever, `$ref` could go in circles.
 *
 * @example valueProblem({ type: "object", required: ["sku"] }, {}) // "sku is missing"
 */
export function valueProblem(schema: unknown, value: unknown, where = ""): string | undefined {
  if (schema === false) return `${where || "the value"} is not allowed`;
  if (!isObject(schema)) return undefined;
  return (
    typeProblem(schema, value, where) ??
    choiceProblem(schema, value, where) ??
    (isObject(value) ? propertiesProblem(schema, value, where) : undefined) ??
    (Array.isArray(value) ? itemsProblem(schema, value, where) : undefined)
  );
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

/** The types that a schema names, without names that are none. */
function typesOf(schema: Readonly<Record<string, unknown>>): readonly string[] {
  const named = new Set<unknown>([schema["type"] ?? []].flat());
  return typeNames.filter((type) => named.has(type));
}

function typeProblem(schema: Readonly<Record<string, unknown>>, value: unknown, where: string): string | undefined {
  const types = typesOf(schema);
  const name = where || "the value";
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) return `${name} must be ${types.join(" or ")}`;
  const options = schema["enum"];
  if (Array.isArray(options) && !options.some((option) => isSame(option, value))) {
    return `${name} must be one of ${JSON.stringify(options)}`;
  }
  if ("const" in schema && !isSame(schema["const"], value)) return `${name} must be ${JSON.stringify(schema["const"])}`;
  return limitProblem(schema, value, name);
}

/** Keywords that limit a number, or the length of a text or a list. */
const limits: readonly (readonly [keyword: string, of: "number" | "text" | "list", holds: Compare, words: string])[] = [
  ["minimum", "number", (value, limit) => value >= limit, "at least"],
  ["maximum", "number", (value, limit) => value <= limit, "at most"],
  ["exclusiveMinimum", "number", (value, limit) => value > limit, "more than"],
  ["exclusiveMaximum", "number", (value, limit) => value < limit, "less than"],
  ["minLength", "text", (value, limit) => value >= limit, "at least"],
  ["maxLength", "text", (value, limit) => value <= limit, "at most"],
  ["minItems", "list", (value, limit) => value >= limit, "at least"],
  ["maxItems", "list", (value, limit) => value <= limit, "at most"],
];

type Compare = (value: number, limit: number) => boolean;

function limitProblem(schema: Readonly<Record<string, unknown>>, value: unknown, name: string): string | undefined {
  const measures = {
    number: typeof value === "number" ? value : undefined,
    text: typeof value === "string" ? Array.from(value).length : undefined,
    list: Array.isArray(value) ? value.length : undefined,
  };
  const units = { number: "", text: " characters", list: " items" };
  for (const [keyword, of, holds, words] of limits) {
    const limit = schema[keyword];
    const measure = measures[of];
    if (typeof limit === "number" && measure !== undefined && !holds(measure, limit)) {
      return `${name} must be ${words} ${limit}${units[of]}`;
    }
  }
  return undefined;
}

function choiceProblem(schema: Readonly<Record<string, unknown>>, value: unknown, where: string): string | undefined {
  const problemsOf = (keyword: string) => {
    const choices = schema[keyword];
    return Array.isArray(choices) ? choices.map((one: unknown) => valueProblem(one, value, where)) : [];
  };
  const all = problemsOf("allOf").find((problem) => problem !== undefined);
  if (all !== undefined) return all;
  const any = problemsOf("anyOf");
  if (any.length > 0 && !any.includes(undefined)) return any[0];
  const one = problemsOf("oneOf");
  const matching = one.filter((problem) => problem === undefined).length;
  if (one.length === 0 || matching === 1) return undefined;
  return matching === 0 ? one[0] : `${where || "the value"} matches more than one of its schemas`;
}

function propertiesProblem(
  schema: Readonly<Record<string, unknown>>,
  value: Readonly<Record<string, unknown>>,
  where: string,
): string | undefined {
  const at = (name: string) => (where === "" ? name : `${where}.${name}`);
  const missing = ((schema["required"] ?? []) as readonly string[]).find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${at(missing)} is missing`;
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, Schema>>;
  for (const [name, one] of Object.entries(value)) {
    const own = Object.hasOwn(properties, name) ? properties[name] : schema["additionalProperties"];
    const problem = valueProblem(own, one, at(name));
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function itemsProblem(
  schema: Readonly<Record<string, unknown>>,
  value: readonly unknown[],
  where: string,
): string | undefined {
  for (const [index, one] of value.entries()) {
    const problem = valueProblem(schema["items"], one, where === "" ? `${index}` : `${where}.${index}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
