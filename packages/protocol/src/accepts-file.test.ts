import { expect, it } from "vitest";
import { acceptsFile } from "./accepts-file.ts";

it.each<[string, string, string, boolean]>([
  ["image/*", "a.png", "image/png", true],
  ["image/*", "a.png", "IMAGE/PNG", true],
  ["image/*", "a.txt", "text/plain", false],
  ["image/*", "a.txt", "imagex/png", false],
  ["image/png", "a.pnm", "image/pnm", false],
  ["application/pdf", "a.pdf", "application/pdf ; version=1.7", true],
  [".csv, .md", "Таблица.CSV", "application/octet-stream", true],
  [".csv", "csv", "text/plain", false],
  ["text/plain", "a.html", "text/html", false],
  ["*/*", "a.zip", "application/zip", true],
  ["*", "a.zip", "", true],
  [" ", "a.zip", "application/zip", true],
])("%j and a file %s of %j: %s", (accept, name, contentType, taken) => {
  expect(acceptsFile(accept, { name, contentType })).toBe(taken);
});
