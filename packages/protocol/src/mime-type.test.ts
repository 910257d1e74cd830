import { expect, it } from "vitest";
import { isTextType, mimeEssence } from "./mime-type.ts";

it.each([
  ["image/png", "image/png"],
  ["Text/CSV; charset=utf-8", "text/csv"],
  [" text/plain ;charset=utf-8;x=y", "text/plain"],
  ["", ""],
])("reads %j as %j", (mimeType, essence) => {
  expect(mimeEssence(mimeType)).toBe(essence);
});

it.each([
  ["text/csv; charset=utf-8", true],
  ["application/json", true],
  ["application/ld+json", true],
  ["image/svg+xml", true],
  ["application/x-yaml", true],
  ["application/pdf", false],
  ["application/jsonx", false],
  ["image/png", false],
])("says whether %j is text: %j", (mimeType, isText) => {
  expect(isTextType(mimeType)).toBe(isText);
});
