import { expect, it } from "vitest";
import { attachmentTypeOf } from "./attachment.ts";

it.each([
  ["image/png", "image"],
  ["image/svg+xml", "image"],
  ["Image/PNG; q=1", "image"],
  ["application/pdf", "document"],
  ["application/pdf; version=1.7", "document"],
  ["text/plain", "document"],
  ["text/csv;charset=utf-8", "document"],
  ["application/zip", "file"],
  ["", "file"],
])("displays %s as %s", (contentType, type) => {
  expect(attachmentTypeOf(contentType)).toBe(type);
});
