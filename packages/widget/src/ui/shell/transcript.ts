/** A conversation as text. Pure. A chunk that loads when a chat's menu is opened. */
import type { Message, Part } from "@nitka/protocol";
import { partsOf, textOf } from "@nitka/protocol/message";

/** What a transcript says beside the messages' own texts. */
export interface TranscriptWords {
  readonly title: string;
  readonly visitor: string;
  readonly assistant: string;
  readonly system: string;
  readonly attachments: string;
  readonly sources: string;
  /** A message's date and time. */
  readonly time: (at: Date) => string;
}

/** A message's share of a transcript. */
export interface TranscriptEntry {
  readonly message: Message;
  /** Who wrote it, and when. */
  readonly heading: string;
  /** The names of its files, and its sources. */
  readonly notes: readonly string[];
}

/** The most characters of a file's name, without its ending. Systems take 255 bytes. */
const MAX_NAME_CHARS = 80;

export function transcriptEntries(messages: readonly Message[], words: TranscriptWords): readonly TranscriptEntry[] {
  return messages.map((message) => {
    const parts = partsOf(message);
    const files = [...(message.attachments ?? []).map(({ name }) => name), ...parts.flatMap(fileNameOf)];
    const sources = parts.flatMap(sourceLineOf);
    return {
      message,
      heading: headingOf(message, words),
      notes: [
        ...(files.length > 0 ? [`${words.attachments}: ${files.join(", ")}`] : []),
        ...(sources.length > 0 ? [[`${words.sources}:`, ...sources].join("\n")] : []),
      ],
    };
  });
}

/** The whole conversation in plain text: what is written is markdown, as visitors and models write it. */
export function toPlainText(entries: readonly TranscriptEntry[], { title }: TranscriptWords): string {
  return [title, ...entries.map((entry) => [entry.heading, ...bodyOf(entry)].join("\n\n"))].join("\n\n\n");
}

/** The whole conversation as a file of markdown. */
export function toMarkdown(entries: readonly TranscriptEntry[], { title }: TranscriptWords): string {
  const blocks = entries.flatMap((entry) => [`## ${entry.heading}`, ...bodyOf(entry)]);
  return `${[`# ${title}`, ...blocks].join("\n\n")}\n`;
}

/**
 * The name of a conversation's file, without what systems forbid in names.
 *
 * @example fileNameFor("Счёт №5: «что/как»?") // "Счёт №5 «что как».md"
 */
export function fileNameFor(title: string): string {
  const name = title.replaceAll(/[\\/:*?"<>|\p{C}\s]+/gu, " ").replace(/^[. ]+/, "");
  // Half of a character is none.
  const cut = name.slice(0, MAX_NAME_CHARS).replace(/[\uD800-\uDBFF]$/, "");
  return `${cut.replace(/[. ]+$/, "") || "chat"}.md`;
}

function bodyOf({ message, notes }: TranscriptEntry): readonly string[] {
  return [textOf(message).trim(), ...notes].filter((block) => block !== "");
}

function headingOf({ role, createdAt }: Message, words: TranscriptWords): string {
  const who = { user: words.visitor, assistant: words.assistant, system: words.system }[role] ?? role;
  const at = new Date(createdAt ?? Number.NaN);
  return Number.isNaN(at.getTime()) ? who : `${who} · ${words.time(at)}`;
}

/** What a part shows that is no text. Its address may need the visitor's credential, so that its name alone is told. */
function fileNameOf(part: Part): readonly string[] {
  if (part.type === "file") return [part.filename ?? part.mimeType];
  return part.type === "image" || part.type === "audio" ? [part.type] : [];
}

/** The source's number is the one by which the text cites it: the number of a list's item would be counted anew. */
function sourceLineOf(part: Part): readonly string[] {
  if (part.type !== "source") return [];
  const { n, url } = part;
  const title = escaped((part.title ?? "").replaceAll(/\s+/g, " ").trim());
  const named = title && url ? `[${title}](${destination(url)})` : notBlock(title) || bareAddress(url);
  return named === "" ? [] : [`- ${n === undefined ? "" : `[${n}] `}${named}`];
}

/** What markdown takes as it is written: no link ends in it, and no other construct begins. */
function escaped(line: string): string {
  const text = line.replaceAll(
    /[\\`*[\]~$]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|<(?=[a-z/!?])|&(?=#?\w+;)/giu,
    String.raw`\$&`,
  );
  // Brackets with a backslash are TeX's, where an operator stands in them.
  return text.replaceAll(/\\\[(?=[^\]]*[\^_=<>+*/-])/g, "&#91;");
}

/** A line that is no list and no heading in the item that it stands in. */
function notBlock(line: string): string {
  return line.replace(/^(?=[#>+=-])|(?<=^\d+)(?=[.)])/, "\\");
}

/** The address of a link. One with brackets stands in angle brackets: programs that find addresses by themselves end it right. */
function destination(url: string): string {
  const address = encoded(url).replaceAll(/\\|&(?=#?\w+;)/g, String.raw`\$&`);
  return /[()]/.test(address) ? `<${address}>` : address;
}

/** A link that is its own name. What is no plain address is marked as a link, where markdown knows it as one. */
function bareAddress(url: string): string {
  if (/^[a-z\d:/.?#=&%,+@-]*$/i.test(url)) return url;
  return /^[a-z][a-z\d+.-]+:/i.test(url) ? `<${encoded(url)}>` : escaped(url);
}

/** Without what ends an address. */
function encoded(url: string): string {
  return url.replaceAll(/[\s<>\p{Cc}]/gu, (sign) => encodeURIComponent(sign));
}
