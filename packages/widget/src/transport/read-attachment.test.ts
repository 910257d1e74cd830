import { expect, it } from "vitest";
import { readAttachment } from "./upload.ts";

it("gives an attachment the type that its MIME type makes", () => {
  expect(readAttachment({ id: "1", url: "a/1", contentType: "application/pdf", type: "?" })).toEqual({
    id: "1",
    type: "document",
    name: "1",
    contentType: "application/pdf",
    size: 0,
    url: "a/1",
  });
  expect(() => readAttachment({ id: "1" })).toThrow("The answer is not an attachment: it has no id or no url.");
});
