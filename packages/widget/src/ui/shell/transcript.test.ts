import type { Message } from "@nitka/protocol";
import { expect, it } from "vitest";
import { fileNameFor, toMarkdown, toPlainText, transcriptEntries } from "./transcript.ts";

const words = {
  title: "Погода",
  visitor: "Вы",
  assistant: "Ассистент",
  system: "Система",
  attachments: "Вложения",
  sources: "Источники",
  time: (at: Date) => at.toISOString().slice(0, 16),
};

const messages: readonly Message[] = [
  {
    id: "q",
    role: "user",
    content: "Какая погода?",
    createdAt: "2026-03-01T10:00:00.000Z",
    attachments: [{ id: "f", type: "image", name: "окно.png", contentType: "image/png", size: 1, url: "x" }],
  },
  {
    id: "a",
    role: "assistant",
    content: [
      { type: "reasoning", text: "Думаю" },
      { type: "text", text: "**Ясно** [1]." },
      { type: "image", image: "data:image/png;base64,AA" },
      { type: "source", sourceType: "url", id: "s1", url: "https://a.example/1", title: "Прогноз", n: 1 },
      { type: "source", sourceType: "url", id: "s2", url: "https://a.example/2" },
      { type: "source", sourceType: "url", id: "s3", url: "", title: "Справочник" },
      { type: "source", sourceType: "url", id: "s4", url: "https://a.example/4", title: " " },
    ],
  },
];

const answer = `**Ясно** [1].

Вложения: image

Источники:
1. [Прогноз](https://a.example/1)
- https://a.example/2
- Справочник
- https://a.example/4`;

it("names speakers, times, attachments and sources, and leaves thoughts out", () => {
  const entries = transcriptEntries(messages, words);
  expect(toMarkdown(entries, words)).toBe(
    `# Погода\n\n## Вы · 2026-03-01T10:00\n\nКакая погода?\n\nВложения: окно.png\n\n## Ассистент\n\n${answer}\n`,
  );
  expect(toPlainText(entries, words)).toBe(
    `Погода\n\n\nВы · 2026-03-01T10:00\n\nКакая погода?\n\nВложения: окно.png\n\n\nАссистент\n\n${answer}`,
  );
});

it.each([
  ["Счёт №5: «что/как»?", "Счёт №5 «что как».md"],
  ["  ..\u202E\n ", "chat.md"],
  ["../../etc/passwd", "etc passwd.md"],
  [`${"a".repeat(79)}😀`, `${"a".repeat(79)}.md`],
  ["a".repeat(200), `${"a".repeat(80)}.md`],
])("a file is named for its thread: %j", (title, name) => {
  expect(fileNameFor(title)).toBe(name);
});
