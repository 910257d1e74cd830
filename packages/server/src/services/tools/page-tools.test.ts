import { describe, expect, it } from "vitest";
import { objectSchemaProblem } from "./page-tools.ts";

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
