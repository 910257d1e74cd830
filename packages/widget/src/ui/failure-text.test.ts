import { expect, test } from "vitest";
import { en } from "../i18n/locales/en.ts";
import { ru } from "../i18n/locales/ru.ts";
import { failureText, formatBytes } from "./failure-text.ts";

const attachments = { accept: "image/*, application/pdf,.docx,text/plain", maxBytes: 2_000_000, maxCount: 3 };

test("the text for a refused file names the limit", () => {
  const text = (kind: "attachment_size" | "attachment_type" | "attachment_count") =>
    failureText({ kind, detail: "x" }, { words: ru, locale: "ru", config: { attachments } }).replaceAll("\u00a0", " ");
  expect(text("attachment_size")).toBe("Файл больше 2 МБ. Выберите файл поменьше.");
  expect(text("attachment_type")).toBe("Такие файлы здесь не принимаются. Подойдут: картинки, PDF, DOCX, текст.");
  expect(text("attachment_count")).toBe("В одно сообщение помещается не больше 3 файлов.");
});

test("a limit of one file has the singular form", () => {
  const config = { attachments: { maxCount: 1 } };
  expect(failureText({ kind: "attachment_count", detail: "" }, { words: ru, locale: "ru", config })).toContain(
    "1 файла",
  );
  expect(failureText({ kind: "attachment_count", detail: "" }, { words: en, locale: "en", config })).toBe(
    "One message holds at most 1 file.",
  );
});

test("other failures have the locale's text", () => {
  expect(failureText({ kind: "rate_limited", detail: "HTTP 429" }, { words: en, locale: "en", config: {} })).toBe(
    en.failures.rate_limited,
  );
});

test("sizes are written in the largest unit that is not below one", () => {
  const sizes = [0, 900, 1500, 10_000_000, 2_500_000_000];
  expect(sizes.map((size) => formatBytes(size, "ru").replaceAll("\u00a0", " "))).toEqual([
    "0 Б",
    "900 Б",
    "1,5 кБ",
    "10 МБ",
    "2,5 ГБ",
  ]);
});
