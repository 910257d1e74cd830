import { describe, expect, it } from "vitest";
import { objectSchemaProblem, valueProblem } from "./json-schema.ts";

const basket = {
  type: "object",
  properties: {
    sku: { type: "string", minLength: 1, maxLength: 4 },
    count: { type: "integer", minimum: 1, exclusiveMaximum: 10 },
    colour: { enum: ["red", null] },
    tags: { type: "array", items: { type: ["string", "null"] }, minItems: 1, maxItems: 2 },
    place: { anyOf: [{ type: "string" }, { type: "object", properties: { id: { const: 7 } }, required: ["id"] }] },
    one: { oneOf: [{ type: "number" }, { type: "integer" }] },
    both: { allOf: [{ minimum: 1 }, { maximum: 3 }] },
    never: false,
    any: true,
  },
  required: ["sku"],
  additionalProperties: false,
} as const;

describe("objectSchemaProblem", () => {
  it.each([basket, { type: "object" }, { type: "object", additionalProperties: { type: "number" }, title: "Basket" }])(
    "finds none in %j",
    (schema) => {
      expect(objectSchemaProblem(schema)).toBeUndefined();
    },
  );

  it.each([
    ["type", "it must be a JSON Schema, an object"],
    [[], "it must be a JSON Schema, an object"],
    [{}, 'type must be "object"'],
    [{ type: "object", properties: [] }, "properties must be schemas by name"],
    [{ type: "object", properties: { a: "string" } }, "properties.a must be a schema"],
    [{ type: "object", properties: { a: { type: "text" } } }, "properties.a.type must be one of array, boolean"],
    [{ type: "object", properties: { a: { items: [] } } }, "properties.a.items must be a schema"],
    [{ type: "object", anyOf: {} }, "anyOf must be a list of schemas"],
    [{ type: "object", oneOf: [7] }, "oneOf.0 must be a schema"],
    [{ type: "object", required: "a" }, "required must be a list of names"],
    [{ type: "object", properties: { a: { enum: "b" } } }, "properties.a.enum must be a list"],
  ])("finds it in %j", (schema, problem) => {
    expect(objectSchemaProblem(schema)).toContain(problem);
  });
});

describe("valueProblem", () => {
  it.each([
    { sku: "кот😺", count: 9, colour: null, tags: ["a", null], place: "a", one: 1.5, both: 2, any: {} },
    { sku: "a", place: { id: 7, more: 1 } },
  ])("finds none in %j", (value) => {
    expect(valueProblem(basket, value)).toBeUndefined();
  });

  it.each([
    [7, "the value must be object"],
    [{}, "sku is missing"],
    [{ sku: "" }, "sku must be at least 1 characters"],
    [{ sku: "abcde" }, "sku must be at most 4 characters"],
    [{ sku: "a", count: 0 }, "count must be at least 1"],
    [{ sku: "a", count: 10 }, "count must be less than 10"],
    [{ sku: "a", count: 1.5 }, "count must be integer"],
    [{ sku: "a", colour: "blue" }, 'colour must be one of ["red",null]'],
    [{ sku: "a", tags: [] }, "tags must be at least 1 items"],
    [{ sku: "a", tags: ["a", 7] }, "tags.1 must be null or string"],
    [{ sku: "a", place: {} }, "place must be string"],
    [{ sku: "a", place: { id: 8 } }, "place must be string"],
    [{ sku: "a", one: 1 }, "one matches more than one of its schemas"],
    [{ sku: "a", both: 4 }, "both must be at most 3"],
    [{ sku: "a", never: 1 }, "never is not allowed"],
    [{ sku: "a", other: 1 }, "other is not allowed"],
    [JSON.parse('{"sku":"a","__proto__":1}'), "__proto__ is not allowed"],
  ])("finds it in %j", (value, problem) => {
    expect(valueProblem(basket, value)).toBe(problem);
  });

  it("takes what it does not know, such as a pattern that could take for ever", () => {
    expect(valueProblem({ type: "string", pattern: "(a+)+$" }, `${"a".repeat(50)}!`)).toBeUndefined();
    expect(valueProblem({ $ref: "#" }, 7)).toBeUndefined();
  });
});
