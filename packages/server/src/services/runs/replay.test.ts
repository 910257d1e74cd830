import { describe, expect, it } from "vitest";
import type { Message, MessageStatus, Part } from "@nitka/protocol";
import { beginAnswer } from "@nitka/protocol/begin-answer";
import { applyEvent } from "@nitka/protocol/apply-event";
import { serializeEvent } from "@nitka/protocol/serialize-event";
import { parseStreamEvent } from "@nitka/protocol/stream-event";
import { replay } from "./replay.ts";

const parts: readonly Part[] = [
  { type: "reasoning", text: "Надо подумать" },
  { type: "text", text: "Смотрите:\n\n- раз 🌦️" },
  {
    type: "tool-call",
    toolCallId: "c1",
    toolName: "weather",
    argsText: '{ "city": "Москва" }',
    args: { city: "Москва" },
    result: { t: -3 },
  },
  {
    type: "tool-call",
    toolCallId: "c2",
    toolName: "weather",
    argsText: "{}",
    args: {},
    result: "нет такого города",
    isError: true,
  },
  { type: "tool-call", toolCallId: "c3", toolName: "weather", argsText: '{"ci' },
  { type: "tool-call", toolCallId: "c4", toolName: "void", argsText: "{}", args: {}, result: null },
  { type: "source", sourceType: "url", id: "s1", url: "https://a.example/", title: "А" },
  { type: "source", sourceType: "url", id: "s2", url: "https://b.example/" },
  { type: "source", sourceType: "url", id: "s3", url: "", title: "Договор" },
  { type: "text", text: "Везём два дня [1], в Уфу три [2]." },
  {
    type: "source",
    sourceType: "url",
    id: "1",
    url: "https://a.example/#b",
    n: 1,
    quote: "Два дня.",
    heading: "Сроки",
  },
  {
    type: "source",
    sourceType: "url",
    id: "2",
    url: "https://a.example/#c",
    title: "Доставка",
    n: 2,
    quote: "Три дня.",
  },
  { type: "image", image: "data:image/png;base64,iVBORw0KGgo=" },
  { type: "image", image: "https://c.example/a.png" },
  { type: "file", mimeType: "application/pdf", url: "data:application/pdf;base64,JVBERi0=", filename: "a.pdf" },
  { type: "file", mimeType: "text/plain", url: "https://c.example/a.txt" },
  { type: "audio", audio: { data: "AAAA", format: "mp3" } },
  { type: "image", image: "api/debug/attachments/f1" },
  { type: "audio", audio: { url: "api/debug/attachments/f2", format: "wav" } },
  { type: "file", mimeType: "application/pdf", url: "api/debug/attachments/f3" },
  { type: "text", text: "Всё." },
];

function stored(content: readonly Part[], status: MessageStatus): Message {
  return { id: "a1", role: "assistant", content, parentId: "q1", status };
}

/** The message that a client folds from the replayed stream, over the wire. */
function folded(message: Message): Message {
  return replay(message)
    .flatMap((event) => parseStreamEvent(serializeEvent(event)) ?? [])
    .reduce(applyEvent, beginAnswer("", "q1")).message;
}

describe("a replayed answer", () => {
  it("folds to each stored part", () => {
    for (const part of parts)
      expect(folded(stored([part], { type: "complete" }))).toEqual(stored([part], { type: "complete" }));
  });

  it("folds to the stored answer with all parts", () => {
    const message = stored(parts, { type: "complete" });
    expect(folded(message)).toEqual(message);
  });

  it("has a source before the text that cites it, and each block complete", () => {
    const types = replay(stored(parts.slice(9, 12), { type: "complete" })).map(({ type }) => type);
    expect(types.slice(1, -1)).toEqual(["text-start", "source-url", "source-url", "text-delta", "text-end"]);
  });

  it.each<MessageStatus>([
    { type: "complete" },
    { type: "incomplete", reason: "cancelled" },
    { type: "incomplete", reason: "error", error: "Не вышло" },
    { type: "incomplete", reason: "error", error: "Не вышло", code: "silent" },
    { type: "incomplete", reason: "interrupted" },
  ])("ends as the answer did: %j", (status) => {
    expect(folded(stored([], status)).status).toEqual(status);
  });

  it("has the message of the stored status in its error", () => {
    expect(replay(stored([], { type: "incomplete", reason: "interrupted" })).at(-1)).toEqual({
      type: "error",
      errorText: "Ответ прервался: сервер остановился. Попробуйте ещё раз.",
    });
  });

  it("begins with start and has one end", () => {
    const types = replay(stored(parts, { type: "complete" })).map(({ type }) => type);
    expect([
      types[0],
      types.at(-1),
      types.filter((type) => ["finish", "abort", "error"].includes(type)).length,
    ]).toEqual(["start", "finish", 1]);
  });
});
