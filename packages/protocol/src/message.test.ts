import { expect, it } from "vitest";
import { partsOf, textOf } from "./message.ts";

it("takes plain text for one text part, and no text for none", () => {
  expect(partsOf({ content: "a" })).toEqual([{ type: "text", text: "a" }]);
  expect(partsOf({ content: "" })).toEqual([]);
});

it("gives the text parts of a message, a blank line between them", () => {
  const content = [
    { type: "text", text: "a" },
    { type: "reasoning", text: "b" },
    { type: "image", image: "c" },
    { type: "text", text: "d" },
  ] as const;
  expect(textOf({ content })).toBe("a\n\nd");
  expect(textOf({ content: "a" })).toBe("a");
});
