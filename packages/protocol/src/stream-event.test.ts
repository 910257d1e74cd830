import { describe, expect, it } from "vitest";
import { parseStreamEvent } from "./stream-event.ts";

describe("parseStreamEvent", () => {
  it.each([
    [
      { type: "text-delta", delta: "a" },
      { type: "text-delta", delta: "a" },
    ],
    [
      { type: "text-delta", text: "a" },
      { type: "text-delta", delta: "a" },
    ],
    [
      { type: "text-delta", data: { delta: "a" } },
      { type: "text-delta", delta: "a" },
    ],
    [
      { type: "text-delta", data: { text: "a" } },
      { type: "text-delta", delta: "a" },
    ],
    [
      { type: "text-delta", data: "a" },
      { type: "text-delta", delta: "a" },
    ],
    [
      { type: "text-delta", delta: 5 },
      { type: "text-delta", delta: "5" },
    ],
    [
      { type: "text-delta", delta: " \n" },
      { type: "text-delta", delta: " \n" },
    ],
    [
      { type: "text-delta", id: 0, delta: "a" },
      { type: "text-delta", id: "0", delta: "a" },
    ],
    [
      { type: "text-delta", messageId: "m", delta: "a" },
      { type: "text-delta", delta: "a" },
    ],
    [
      { type: "start", messageId: "m" },
      { type: "start", messageId: "m" },
    ],
    [
      { type: "start", data: { messageId: "m" } },
      { type: "start", messageId: "m" },
    ],
    [
      { type: "start", id: "m" },
      { type: "start", messageId: "m" },
    ],
    [{ type: "start" }, { type: "start" }],
    [
      { type: "start", messageId: "m", data: { type: "finish", messageId: "n" } },
      { type: "start", messageId: "m" },
    ],
    [
      { type: "thread-rename", newTitle: "a" },
      { type: "thread-rename", title: "a" },
    ],
    [
      { type: "thread-rename", data: { newTitle: "a" } },
      { type: "thread-rename", title: "a" },
    ],
    [
      { type: "thread-rename", title: "a", newTitle: "b" },
      { type: "thread-rename", title: "a" },
    ],
    [
      { type: "data-title", data: "a" },
      { type: "data-title", title: "a" },
    ],
    [
      { type: "data-thread-title", data: { title: "a" } },
      { type: "data-thread-title", title: "a" },
    ],
    [{ type: "data-thinking" }, { type: "data-thinking" }],
    [
      { type: "data-progress", data: { text: "a" } },
      { type: "data-progress", text: "a" },
    ],
    [
      { type: "error", error: "a" },
      { type: "error", errorText: "a" },
    ],
    [
      { type: "error", error: { message: "a", code: 7 } },
      { type: "error", errorText: "a" },
    ],
    [
      { type: "error", message: "a" },
      { type: "error", errorText: "a" },
    ],
    [
      { type: "error", error: {} },
      { type: "error", errorText: "" },
    ],
    [{ type: "error" }, { type: "error", errorText: "" }],
    [
      { type: "tool-input-start", toolCallId: "c" },
      { type: "tool-input-start", toolCallId: "c", toolName: "" },
    ],
    [
      { type: "tool-output-available", toolCallId: 1, output: 0 },
      { type: "tool-output-available", toolCallId: "1", output: 0 },
    ],
    [
      { type: "source-url", url: "u" },
      { type: "source-url", sourceId: "", url: "u" },
    ],
    [
      { type: "file", url: "u", mediaType: "image/png" },
      { type: "file", url: "u", mediaType: "image/png" },
    ],
    [
      { type: "data-error", data: { code: "silent" }, transient: true },
      { type: "data-error", code: "silent" },
    ],
    [
      { type: "tool-approval-request", toolCallId: "c", approvalId: "p" },
      { type: "tool-approval-request", toolCallId: "c", approvalId: "p" },
    ],
    [
      { type: "data-tool-request", data: { toolCallId: "c", toolName: "buy", input: { count: 1 } } },
      { type: "data-tool-request", toolCallId: "c", toolName: "buy", input: { count: 1 } },
    ],
    [
      { type: "data-suggestions", data: { suggestions: [{ title: "a", prompt: "b" }] } },
      { type: "data-suggestions", suggestions: [{ title: "a", prompt: "b" }] },
    ],
    [
      { type: "data-order", id: 7, data: [1] },
      { type: "data", name: "order", id: "7", data: [1] },
    ],
    [{ type: "data-order" }, { type: "data", name: "order", data: null }],
    [
      { type: "data-constructor", data: 1 },
      { type: "data", name: "constructor", data: 1 },
    ],
    [{ type: "finish", extra: { kept: "not" } }, { type: "finish" }],
  ])("reads %j as %j", (wire, event) => {
    expect(parseStreamEvent(JSON.stringify(wire))).toEqual(event);
  });

  it.each([
    "",
    "[DONE]",
    "{",
    "null",
    "7",
    '"start"',
    '["start"]',
    "{}",
    '{"type":null}',
    '{"type":"no-such-event"}',
    '{"type":"toString"}',
    '{"type":"__proto__"}',
    '{"type":"text-delta"}',
    '{"type":"text-delta","delta":""}',
    '{"type":"text-delta","delta":{}}',
    '{"type":"data-title","data":{}}',
    '{"type":"tool-output-available","output":1}',
    '{"type":"source-url","title":"a"}',
    '{"type":"file"}',
    '{"type":"data"}',
    '{"type":"data-"}',
    '{"type":"data-ping","data":{}}',
    '{"type":"data-order","data":{},"transient":true}',
    '{"type":"data-suggestions","data":{"suggestions":"a"}}',
    '{"type":"data-tool-request","data":{"toolName":"buy"}}',
    '{"type":"data-error","data":{}}',
  ])("returns undefined for %s", (json) => {
    expect(parseStreamEvent(json)).toBeUndefined();
  });
});
