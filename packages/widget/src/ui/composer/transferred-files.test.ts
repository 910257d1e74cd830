import { expect, test } from "vitest";
import { hasFiles, pastedFiles } from "./transferred-files.ts";

const picture = new File(["x"], "image.png", { type: "image/png" });

function clipboard(text: string, ...files: readonly File[]): Pick<DataTransfer, "files" | "getData"> {
  const list = Object.assign(files, { item: (index: number) => files[index] ?? null });
  return { files: list, getData: (type) => (type === "text/plain" ? text : "") };
}

test("a screenshot is pasted as a file", () => {
  expect(pastedFiles(clipboard("", picture))).toEqual([picture]);
});

test("the picture that office programs put beside copied text is not pasted", () => {
  expect(pastedFiles(clipboard("Выручка\t120", picture))).toEqual([]);
});

test("files from a file manager are pasted, although their names come with them as text", () => {
  const report = new File(["x"], "отчёт.pdf");
  expect(pastedFiles(clipboard("file:///home/anna/отчёт.pdf\nimage.png", report, picture))).toEqual([report, picture]);
});

test("plain text has no files", () => {
  expect(pastedFiles(clipboard("Привет"))).toEqual([]);
});

test("dragged data has files if «Files» is among its types", () => {
  expect(hasFiles({ types: ["text/plain", "Files"] })).toBe(true);
  expect(hasFiles({ types: ["text/uri-list"] })).toBe(false);
  expect(hasFiles(null)).toBe(false);
});
