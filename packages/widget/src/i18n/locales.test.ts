import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { failureCodeWords } from "./failure-code-words.ts";
import type { Locale } from "./choose-locale.ts";
import { loadWords } from "./locales.ts";
import { ru } from "./locales/ru.ts";

const locales: Readonly<Record<Locale, true>> = { ru: true, en: true };

test.for(Object.keys(locales) as readonly Locale[])("the locale %s has every word", async (locale) => {
  expect(pathsOf(await loadWords(locale))).toEqual(pathsOf(ru));
});

test("the texts that the specification quotes are the same to the letter", () => {
  expect([
    ru.sidebar.chats,
    ru.sidebar.today,
    ru.sidebar.earlier,
    ru.sidebar.untitled,
    ru.sidebar.remove,
    ru.sidebar.feedback,
    ru.sidebar.newChat,
    ru.header.modelChanger,
    ru.header.untitled,
    ru.thread.loading,
    ru.thread.greetingTitle,
    ru.thread.greetingSubtitle,
    ru.composer.placeholder,
    ru.attachments.preview,
    ru.parts.usedTool,
    ru.parts.result,
    ru.parts.copyCode,
    ru.message.copied,
    ru.message.copyFailed,
  ]).toEqual([
    "Чаты",
    "Сегодня",
    "Ранее",
    "New Chat",
    "Удалить чат",
    "Обратная связь",
    "Новый чат",
    "[Model changer]",
    "Новый чат",
    "Загружаю историю…",
    "Привет!",
    "Чем я могу помочь тебе?",
    "Напишите что-нибудь...",
    "Image Attachment Preview",
    "Used tool",
    "Result:",
    "Copy",
    "Скопировано",
    "Не удалось скопировать",
  ]);
});

test.for(["troubleshooting.md", "ru/troubleshooting.md"])(
  "docs/%s quotes what visitors read of each failure",
  (name) => {
    const text = readFileSync(join(import.meta.dirname, "../../../../docs", name), "utf8");
    const quoted = [...text.matchAll(/^\| `([a-z_]+)` +\| «([^»]+?)…?» +\|/gm)].map(([, code, words]) => [code, words]);
    expect(quoted.map(([code]) => code)).toEqual(Object.keys(failureCodeWords.ru));
    for (const [code, words] of Object.entries(failureCodeWords.ru)) {
      expect(words.replaceAll("\u00a0", " ")).toContain(Object.fromEntries(quoted)[code]);
    }
  },
);

test("a noun has the form that goes with its number", () => {
  expect([1, 2, 5, 11, 21, 22].map((count) => ru.parts.sources(count))).toEqual([
    "1 источник",
    "2 источника",
    "5 источников",
    "11 источников",
    "21 источник",
    "22 источника",
  ]);
});

function pathsOf(words: object, at = ""): readonly string[] {
  return Object.entries(words)
    .flatMap(([name, value]) =>
      typeof value === "object" && value !== null ? pathsOf(value, `${at}${name}.`) : `${at}${name}`,
    )
    .toSorted();
}
