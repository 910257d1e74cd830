import type { Conversation, ShownFile } from "../conversation.ts";
import { plural } from "../plural.ts";
import { introduced, wording } from "../scenario.ts";
import type { Scenario } from "../scenario.ts";

/** Lists the files of the question by name and type, and quotes text files. */
export const attachments: Scenario = {
  matches: ({ files }) => files.length > 0,
  answer: (conversation) => {
    const { files, language } = conversation;
    return [
      introduced(
        conversation,
        opening(conversation),
        files.map((file) => `- **${bare(file.name)}** — ${describe(file, language)}`).join("\n"),
        ...files.flatMap((file) => (file.text === undefined ? [] : [excerpt(file.name, file.text, language)])),
        wording(conversation, {
          ru: [
            "Понимать содержимое демо-модель не умеет: картинки и PDF она видит только снаружи. Настоящей модели сервер отправит их целиком.",
            "Дальше названия и размера демо-модель не заглядывает, кроме текстовых файлов. С настоящей моделью за этим окном ответ был бы по существу.",
          ],
          en: [
            "A demo model does not understand what is inside: pictures and PDFs it sees from without. A real model would be sent the whole files.",
            "Past the name and the size I only look into text files. With a real model behind this window the answer would be to the point.",
          ],
        }),
      ),
    ];
  },
  title: ({ files, language }) => {
    const [file] = files;
    if (files.length === 1 && file && file.name.length <= 30)
      return language === "ru" ? `Файл ${file.name}` : `File ${file.name}`;
    return language === "ru" ? "Присланные файлы" : "Files sent";
  },
};

/** A file name as inline code, so that markdown does not format it. */
function bare(name: string): string {
  return name.replaceAll(/[*_`[\]<>|~\\]/g, "");
}

function opening(conversation: Conversation): string {
  const { files, language } = conversation;
  const count = files.length;
  if (language === "ru") {
    const noun = plural(count, "файл", "файла", "файлов");
    return wording(conversation, { ru: [`Дошло: ${count} ${noun}.`, `Получено, ${count} ${noun}:`], en: [] });
  }
  return wording(conversation, {
    ru: [],
    en: [`${count} ${count === 1 ? "file has" : "files have"} reached me.`, `Received: ${count}.`],
  });
}

function describe({ mediaType, bytes, text }: ShownFile, language: Conversation["language"]): string {
  const ru = language === "ru";
  const kind = mediaType.startsWith("image/")
    ? `${ru ? "картинка" : "a picture"}, ${mediaType.slice("image/".length).toUpperCase()}`
    : mediaType === "application/pdf"
      ? ru
        ? "документ PDF"
        : "a PDF document"
      : mediaType.startsWith("audio/")
        ? ru
          ? "звук"
          : "a sound"
        : text === undefined
          ? ru
            ? "файл"
            : "a file"
          : ru
            ? "текст"
            : "a text";
  const measures = [
    pixels(bytes),
    bytes && sizeOf(bytes.byteLength, ru),
    text === undefined ? undefined : lengthOf(text, ru),
  ];
  return [kind, ...measures.filter((measure) => measure !== undefined)].join(", ");
}

function lengthOf(text: string, ru: boolean): string {
  const lines = text.split("\n").length;
  const words = text.split(/\s+/).filter((word) => word !== "").length;
  return ru
    ? `${lines} ${plural(lines, "строка", "строки", "строк")}, ${words} ${plural(words, "слово", "слова", "слов")}`
    : `${lines} ${lines === 1 ? "line" : "lines"}, ${words} ${words === 1 ? "word" : "words"}`;
}

function sizeOf(bytes: number, ru: boolean): string {
  const [value, unit] =
    bytes < 1_000
      ? [bytes, ru ? "Б" : "B"]
      : bytes < 1_000_000
        ? [bytes / 1_000, ru ? "КБ" : "KB"]
        : [bytes / 1_000_000, ru ? "МБ" : "MB"];
  return `${new Intl.NumberFormat(ru ? "ru" : "en", { maximumFractionDigits: value < 10 ? 1 : 0 }).format(value)}\u00A0${unit}`;
}

/** The width and height of a PNG, at a fixed place in its header (PNG, section 11.2.2 IHDR). */
function pixels(bytes: Uint8Array | undefined): string | undefined {
  if (!bytes || bytes.byteLength < 24 || bytes[0] !== 0x89 || bytes[1] !== 0x50) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return `${view.getUint32(16)} × ${view.getUint32(20)}`;
}

function excerpt(name: string, text: string, language: Conversation["language"]): string | undefined {
  const line = text
    .split("\n")
    .map((each) => each.trim())
    .find((each) => each !== "");
  if (!line) return undefined;
  const short = line.length > 160 ? `${line.slice(0, 160).toWellFormed()}…` : line;
  return `${language === "ru" ? `Так начинается ${bare(name)}:` : `${bare(name)} begins:`}\n\n> ${short.replaceAll(/[<>*_`~|[\]\\]/g, String.raw`\$&`)}`;
}
