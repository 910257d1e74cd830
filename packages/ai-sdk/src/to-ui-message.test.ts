import { expect, it } from "vitest";
import { toUiMessage } from "./to-ui-message.ts";

it("a message is converted for the AI SDK, with a step after the results of tools", () => {
  const call = { type: "tool-call", toolName: "order", argsText: "{}", args: {} } as const;
  const message = toUiMessage(
    {
      id: "a1",
      role: "assistant",
      content: [
        { type: "reasoning", text: "Спрошу." },
        { ...call, toolCallId: "c1", result: { n: 7 } },
        { ...call, toolCallId: "c2", result: { code: 1 }, isError: true },
        { ...call, toolCallId: "c3", approval: "denied" },
        { type: "text", text: "Готово." },
        { type: "image", image: "api/debug/attachments/f1" },
        { type: "source", sourceType: "url", id: "s1", url: "https://shop.test/" },
        { type: "data", name: "order", id: "o", data: { state: "placed" } },
      ],
    },
    (url) => `https://chat.test/${url}`,
  );
  expect(message).toEqual({
    id: "a1",
    role: "assistant",
    parts: [
      { type: "reasoning", text: "Спрошу." },
      { type: "tool-order", toolCallId: "c1", input: {}, state: "output-available", output: { n: 7 } },
      { type: "tool-order", toolCallId: "c2", input: {}, state: "output-error", errorText: '{"code":1}' },
      {
        type: "tool-order",
        toolCallId: "c3",
        input: {},
        state: "output-denied",
        approval: { id: "c3", approved: false },
      },
      { type: "step-start" },
      { type: "text", text: "Готово." },
      { type: "file", mediaType: "image/*", url: "https://chat.test/api/debug/attachments/f1" },
      { type: "source-url", sourceId: "s1", url: "https://shop.test/" },
      { type: "data-order", id: "o", data: { state: "placed" } },
    ],
  });
});

it("files of a question come before its text, and bare base64 becomes a data URL", () => {
  const attachment = {
    id: "f1",
    type: "document",
    name: "а.txt",
    contentType: "text/plain",
    size: 1,
    url: "f1",
  } as const;
  const { parts } = toUiMessage({
    id: "q1",
    role: "user",
    attachments: [attachment],
    content: [
      { type: "text", text: "?" },
      { type: "file", data: "QQ==", mimeType: "text/plain", filename: "б.txt" },
      { type: "audio", audio: { data: "QQ==", format: "wav" } },
    ],
  });
  expect(parts).toEqual([
    { type: "file", mediaType: "text/plain", filename: "а.txt", url: "f1" },
    { type: "text", text: "?" },
    { type: "file", mediaType: "text/plain", filename: "б.txt", url: "data:text/plain;base64,QQ==" },
    { type: "file", mediaType: "audio/wav", url: "data:audio/wav;base64,QQ==" },
  ]);
});
