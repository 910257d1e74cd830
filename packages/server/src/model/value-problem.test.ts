import { describe, expect, it } from "vitest";
import { valueProblem } from "./value-problem.ts";

const basket = {
  type: "object",
  properties: {
    sku: { type: "string", minLength: 1, maxLength: 4 },
    count: { type: "integer", minimum: 1, exclusiveMaximum: 10 },
    colour: { enum: ["red", null] },
    tags: { type: "array", items: { type: ["string", "null"] }, minItems: 1, maxItems: 2 },
    place: { anyOf: [{ type: "string" }, { type: "object", properties: { id: { const: 7 } }, required: ["id"] }] },
    pattern: { type: "string", pattern: "^a$", format: "date" },
    never: false,
    any: { not: { type: "number" } },
  },
  required: ["sku"],
  additionalProperties: false,
} as const;

describe("valueProblem", () => {
  it.each([
    { sku: "кот😺", count: 9, colour: null, tags: ["a", null], place: "a", any: {} },
    { sku: "a", place: { id: 7, more: 1 }, pattern: "b" },
  ])("finds none in %j", (value) => {
    expect(valueProblem(basket, value)).toBeUndefined();
  });

  it.each([
    [7, 'Instance type "number" is invalid. Expected "object".'],
    [{}, 'Instance does not have required property "sku".'],
    [{ sku: "abcde" }, "/sku: String is too long"],
    [{ sku: "a", count: 0 }, "/count: 0 is less than 1."],
    [{ sku: "a", colour: "blue" }, "/colour: Instance does not match any of"],
    [{ sku: "a", tags: ["a", 7] }, "/tags/1: Instance type"],
    [{ sku: "a", place: { id: 8 } }, "/place"],
    [{ sku: "a", never: 1 }, "/never"],
    [{ sku: "a", any: 1 }, "/any"],
    [{ sku: "a", pattern: 1 }, "/pattern: Instance type"],
    [{ sku: "a", other: 1 }, "/other"],
    [JSON.parse('{"sku":"a","__proto__":1}'), "/__proto__"],
  ])("finds it in %j", (value, problem) => {
    expect(valueProblem(basket, value)).toContain(problem);
  });

  it("ignores a regular expression that would run for ever", () => {
    expect(valueProblem({ type: "string", pattern: "(a+)+$" }, `${"a".repeat(50)}!`)).toBeUndefined();
    expect(valueProblem({ patternProperties: { "(a+)+$": false } }, { [`${"a".repeat(50)}!`]: 1 })).toBeUndefined();
  });

  it("gives up on references that multiply, and follows those that do not", () => {
    const twice = (next: string) => ({ allOf: [{ $ref: next }, { $ref: next }] });
    const definitions = Array.from({ length: 30 }, (_, n) => [`a${n}`, twice(`#/$defs/a${n + 1}`)] as const);
    const $defs = { ...Object.fromEntries(definitions), a30: { type: "object" } };
    expect(valueProblem({ $ref: "#/$defs/a0", $defs }, {})).toBe(
      "the schema cannot be evaluated: it follows more than 10000 references",
    );
    const tree = { type: "object", properties: { leaves: { type: "array", items: { $ref: "#" } } } };
    expect(valueProblem(tree, { leaves: [{}, { leaves: [{}] }] })).toBeUndefined();
    expect(valueProblem(tree, { leaves: [{ leaves: [7] }] })).toContain("/leaves/0/leaves/0");
  });

  it.each([{ $ref: "#" }, { $ref: "#/nowhere" }])("says that %j cannot be evaluated", (schema) => {
    expect(valueProblem(schema, 7)).toContain("the schema cannot be evaluated");
  });
});
