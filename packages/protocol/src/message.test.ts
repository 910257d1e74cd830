import { expect, it } from "vitest";
import { attachmentIdsOf, partsOf, textOf } from "./message.ts";

it("partsOf reads a string as one text part, and an empty string as none", () => {
  expect(partsOf({ content: "a" })).toEqual([{ type: "text", text: "a" }]);
  expect(partsOf({ content: "" })).toEqual([]);
});

it("textOf joins the text parts of a message with blank lines", () => {
  const content = [
    { type: "text", text: "a" },
    { type: "reasoning", text: "b" },
    { type: "image", image: "c" },
    { type: "text", text: "d" },
  ] as const;
  expect(textOf({ content })).toBe("a\n\nd");
  expect(textOf({ content: "a" })).toBe("a");
});

it("attachmentIdsOf finds attachments beside the content and in the parts", () => {
  const attachments = [{ id: "f1", type: "file", name: "a", contentType: "x/y", size: 1, url: "u" }] as const;
  const content = [
    { type: "image", image: "api/debug/attachments/f2" },
    { type: "file", url: "api/debug/attachments/f3", mimeType: "x/y" },
    { type: "audio", audio: { url: "api/debug/attachments/f4", format: "wav" } },
    { type: "audio", audio: { data: "AA==", format: "wav" } },
    { type: "file", data: "AA==", mimeType: "x/y" },
    { type: "image", image: "https://a.example/api/debug/attachments/f5" },
    { type: "text", text: "api/debug/attachments/f6" },
  ] as const;
  expect(attachmentIdsOf({ content, attachments })).toEqual(["f1", "f2", "f3", "f4"]);
  expect(attachmentIdsOf({ content: "api/debug/attachments/f7" })).toEqual([]);
});
