import { describe, expect, it } from "vitest";
import { serializeEvent } from "./serialize-event.ts";
import { parseStreamEvent } from "./stream-event.ts";
import type { StreamEvent, StreamEventType } from "./stream-event.ts";

/** An event of every type: a missing type is a type error. */
const events: { readonly [T in StreamEventType]: Extract<StreamEvent, { readonly type: T }> } = {
  start: { type: "start", messageId: "m" },
  "text-start": { type: "text-start", id: "t" },
  "text-delta": { type: "text-delta", id: "t", delta: "Привет\n«\u2028»" },
  "text-end": { type: "text-end", id: "t" },
  "reasoning-start": { type: "reasoning-start", id: "r" },
  "reasoning-delta": { type: "reasoning-delta", id: "r", delta: "Думаю" },
  "reasoning-end": { type: "reasoning-end", id: "r" },
  "tool-input-start": { type: "tool-input-start", toolCallId: "c", toolName: "weather" },
  "tool-input-delta": { type: "tool-input-delta", toolCallId: "c", inputTextDelta: '{"city":' },
  "tool-input-available": {
    type: "tool-input-available",
    toolCallId: "c",
    toolName: "weather",
    input: { city: "Уфа" },
  },
  "tool-input-error": {
    type: "tool-input-error",
    toolCallId: "c",
    toolName: "weather",
    input: "{",
    errorText: "Не JSON",
  },
  "tool-output-available": { type: "tool-output-available", toolCallId: "c", output: [{ celsius: -4 }, null] },
  "tool-output-error": { type: "tool-output-error", toolCallId: "c", errorText: "Нет связи" },
  "tool-approval-request": { type: "tool-approval-request", toolCallId: "c", approvalId: "p" },
  "tool-output-denied": { type: "tool-output-denied", toolCallId: "c" },
  "data-tool-request": { type: "data-tool-request", toolCallId: "c", toolName: "buy", input: { count: 1 } },
  "data-tool-approved": { type: "data-tool-approved", toolCallId: "c" },
  "data-suggestions": { type: "data-suggestions", suggestions: [{ title: "Ещё", prompt: "Расскажи ещё" }] },
  data: { type: "data", name: "order", id: "o1", data: { sum: 5 } },
  "source-url": {
    type: "source-url",
    sourceId: "s",
    url: "https://example.org/",
    title: "Пример",
    providerMetadata: { nitka: { n: 1, quote: "Два дня.", heading: "Сроки" } },
  },
  "source-document": { type: "source-document", sourceId: "s", title: "Отчёт" },
  file: { type: "file", url: "https://example.org/a.png", mediaType: "image/png", filename: "a.png" },
  "data-thinking": { type: "data-thinking", text: "Думаю" },
  "data-progress": { type: "data-progress", text: "Ищу" },
  "data-title": { type: "data-title", title: "Погода" },
  "data-thread-title": { type: "data-thread-title", title: "Погода" },
  "thread-rename": { type: "thread-rename", title: "Погода" },
  "start-step": { type: "start-step" },
  "finish-step": { type: "finish-step" },
  "message-metadata": { type: "message-metadata" },
  "data-error": { type: "data-error", code: "upstream_limited" },
  error: { type: "error", errorText: "Не вышло" },
  abort: { type: "abort" },
  finish: { type: "finish" },
};
const {
  "thread-rename": renamed,
  "start-step": start,
  "finish-step": finish,
  "message-metadata": idle,
  ...others
} = events;

describe("serializeEvent", () => {
  it.each(Object.entries(others))("writes %s so that parseStreamEvent returns it", (_, event) => {
    expect(parseStreamEvent(serializeEvent(event))).toEqual(event);
  });

  it.each([start, finish, idle])("writes $type for other clients; parseStreamEvent skips it", (event) => {
    expect(serializeEvent(event)).toBe(JSON.stringify(event));
    expect(parseStreamEvent(serializeEvent(event))).toBeUndefined();
  });

  it("writes the fields of thread events under data, as transient", () => {
    expect(serializeEvent({ type: "data-title", title: "Погода" })).toBe(
      '{"type":"data-title","data":{"title":"Погода"},"transient":true}',
    );
  });

  it.each([events.data, events["data-suggestions"], events["data-tool-request"]])(
    "does not mark $type as transient, since it belongs to the answer",
    (event) => {
      expect(JSON.parse(serializeEvent(event))).not.toHaveProperty("transient");
    },
  );

  it("writes content of the host's own kind under its name", () => {
    expect(serializeEvent(events.data)).toBe('{"type":"data-order","id":"o1","data":{"sum":5}}');
  });

  it("writes the fields of message events flat", () => {
    expect(serializeEvent({ type: "text-delta", id: "t", delta: "a" })).toBe(
      '{"type":"text-delta","id":"t","delta":"a"}',
    );
  });

  it("writes thread-rename as data-thread-title, since other clients refuse it", () => {
    expect(parseStreamEvent(serializeEvent(renamed))).toEqual({ type: "data-thread-title", title: "Погода" });
  });

  it("leaves out undefined fields", () => {
    expect(serializeEvent({ type: "start", messageId: undefined })).toBe('{"type":"start"}');
  });

  it("writes one line", () => {
    expect(serializeEvent({ type: "text-delta", delta: "a\r\n\nb" })).not.toMatch(/[\r\n]/);
  });
});
