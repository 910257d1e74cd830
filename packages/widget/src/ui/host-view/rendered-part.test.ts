// @vitest-environment node
import { expect, it } from "vitest";
import { isSamePart, renderedPart } from "./rendered-part.ts";

const call = { type: "tool-call", toolCallId: "c", toolName: "order", argsText: '{"id":7}' } as const;
const args = { id: 7 };

it.each([
  [{ ...call, argsText: '{"id"' }, true, { state: "streaming", args: undefined, result: undefined }],
  [{ ...call, args, approval: "requested" }, true, { state: "waiting", args, result: undefined }],
  [{ ...call, args, approval: "approved" }, true, { state: "running", args, result: undefined }],
  [{ ...call, args, result: null }, true, { state: "done", args, result: null }],
  [{ ...call, args, result: "Нет", isError: true }, false, { state: "failed", args, result: "Нет" }],
  [{ ...call, args, approval: "denied" }, true, { state: "denied", args, result: undefined }],
  [{ ...call, args, approval: "denied" }, false, { state: "denied", args, result: undefined }],
  // The answer ended before the tool did.
  [{ ...call, args }, false, { state: "failed", args, result: undefined }],
  // Some backends only store the text of the arguments.
  [{ ...call, result: 5 }, false, { state: "done", args, result: 5 }],
  [{ ...call, argsText: "{", result: 5 }, false, { state: "done", args: undefined, result: 5 }],
] as const)("%o in an answer that is running: %s", (part, running, expected) => {
  expect(renderedPart(part, running)).toEqual({ toolCallId: "c", toolName: "order", ...expected });
});

it("a call waits while the visitor is asked about it, or until the page's view answers it", () => {
  const stateIn = (type: "waiting" | "running") => renderedPart({ ...call, args }, true, { type });
  expect(stateIn("waiting")).toMatchObject({ state: "waiting" });
  expect(stateIn("running")).toMatchObject({ state: "running" });
  expect(renderedPart({ ...call, args }, true, { type: "asking", title: "Заказ" })).toMatchObject({ state: "waiting" });
});

it("content and code are passed as they are; code whose end is unknown is complete when the answer is", () => {
  expect(renderedPart({ type: "data", name: "order", data: 5 }, true)).toEqual({
    name: "order",
    id: undefined,
    data: 5,
  });
  const code = { type: "code", language: "js", pieces: ["a\n", "b"], closed: undefined } as const;
  expect(renderedPart(code, true)).toEqual({ language: "js", text: "a\nb", complete: false });
  expect(renderedPart(code, false)).toMatchObject({ complete: true });
  expect(renderedPart({ ...code, closed: true }, true)).toMatchObject({ complete: true });
});

it("equal content is the same part, whatever object it is", () => {
  const part = (data: unknown) => renderedPart({ type: "data", name: "order", data }, false);
  expect(isSamePart(part({ a: [1] }), part({ a: [1] }))).toBe(true);
  expect(isSamePart(part({ a: [1] }), part({ a: [2] }))).toBe(false);
  expect(isSamePart(part(null), part(undefined))).toBe(false);
});
