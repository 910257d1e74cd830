import { expect, it } from "vitest";
import { describeError } from "./describe-error.ts";

it("a description covers an error and its causes without their other properties, and a refusal by the length of its body", () => {
  const provider = Object.assign(new Error("429 Too Many Requests"), {
    statusCode: 429,
    requestBodyValues: { messages: ["СЕКРЕТ"] },
    responseBody: "СЕКРЕТ",
  });
  const described = describeError(new TypeError("no answer", { cause: provider }));
  expect(described).toEqual({
    name: "TypeError",
    message: "no answer",
    stack: expect.stringContaining("describe-error.test.ts"),
    cause: { name: "Error", message: "429 Too Many Requests", code: 429, responseChars: 6 },
  });
});

it("a description contains the code of Postgres and of the system, and no code that is free text", () => {
  const coded = (code: unknown) => describeError(Object.assign(new Error("no"), { code }), 0).code;
  expect(["ECONNREFUSED", "57P01", 429, "два слова", "two words", {}].map(coded)).toEqual([
    "ECONNREFUSED",
    "57P01",
    429,
    undefined,
    undefined,
    undefined,
  ]);
});

it("a description does not mistake a line of the message for a frame", () => {
  expect(describeError(new Error("x\n    at СЕКРЕТ (a.ts:1:1)")).stack).not.toContain("СЕКРЕТ");
});

it("a description shortens a long message, and contains only the type of a thrown value that is not an error", () => {
  expect(describeError("away")).toEqual({ name: "string" });
  expect(describeError(new Error("x".repeat(10_000)), 0).message).toHaveLength(300);
});
