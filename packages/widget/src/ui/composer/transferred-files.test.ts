import { expect, test } from "vitest";
import { bringsFiles, pastedFiles } from "./transferred-files.ts";

const picture = new File(["x"], "image.png", { type: "image/png" });

function clipboard(text: string, ...files: readonly File[]): Pick<DataTransfer, "files" | "getData"> {
  const list = Object.assign(files, { item: (index: number) => files[index] ?? null });
  return { files: list, getData: (type) => (type === "text/plain" ? text : "") };
}

test("a screenshot is a file", () => {
  expect(pastedFiles(clipboard("", picture))).toEqual([picture]);
});

test("the picture that office programs put beside copied text is not meant", () => {
  expect(pastedFiles(clipboard("Выручка\t120", picture))).toEqual([]);
});

test("files from a file manager come with their names as text, and are meant", () => {
  const report = new File(["x"], "отчёт.pdf");
  expect(pastedFiles(clipboard("file:///home/anna/отчёт.pdf\nimage.png", report, picture))).toEqual([report, picture]);
});

test("plain text brings no files", () => {
  expect(pastedFiles(clipboard("Привет"))).toEqual([]);
});

test("only what names files among its types brings files", () => {
  expect(bringsFiles({ types: ["text/plain", "Files"] })).toBe(true);
  expect(bringsFiles({ types: ["text/uri-list"] })).toBe(false);
  expect(bringsFiles(null)).toBe(false);
});
