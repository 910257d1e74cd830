import { expect, it } from "vitest";
import { describeError } from "./describe-error.ts";

it("describes an error and its causes without their other properties", () => {
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
    cause: { name: "Error", message: "429 Too Many Requests", code: 429 },
  });
});

it("shortens a long message, and describes a thrown value that is no error", () => {
  expect(describeError("away")).toEqual({ name: "string", message: "away" });
  expect(describeError(new Error("x".repeat(10_000)), 0).message).toHaveLength(300);
});
