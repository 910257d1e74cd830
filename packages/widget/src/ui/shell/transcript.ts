/** A conversation as text. These functions are pure. The chunk loads when a chat's menu is opened. */
import type { Message, Part } from "@nitka/protocol";
import { partsOf, textOf } from "@nitka/protocol/message";

/** The words of a transcript beside the messages' own texts. */
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

/** The part of a transcript for one message. */
export interface TranscriptEntry {
  readonly message: Message;
  /** The author and the time. */
  readonly heading: string;
  /** The names of its files, and its sources. */
  readonly notes: readonly string[];
}

/** The maximum number of characters of a file's name, without its extension. Systems allow 255 bytes. */
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

/** The whole conversation as plain text. Messages are in markdown, as visitors and models write them. */
export function toPlainText(entries: readonly TranscriptEntry[], { title }: TranscriptWords): string {
  return [title, ...entries.map((entry) => [entry.heading, ...bodyOf(entry)].join("\n\n"))].join("\n\n\n");
}

/** The whole conversation as a markdown file. */
export function toMarkdown(entries: readonly TranscriptEntry[], { title }: TranscriptWords): string {
  const blocks = entries.flatMap((entry) => [`## ${entry.heading}`, ...bodyOf(entry)]);
  return `${[`# ${title}`, ...blocks].join("\n\n")}\n`;
}

/**
 * The name of a conversation's file, without characters that systems forbid in names.
 *
 * @example fileNameFor("Счёт №5: «что/как»?") // "Счёт №5 «что как».md"
 */
export function fileNameFor(title: string): string {
  const name = title.replaceAll(/[\\/:*?"<>|\p{C}\s]+/gu, " ").replace(/^[. ]+/, "");
  // A surrogate pair is not split.
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

/** The name of a part that is not text. Its address may need the visitor's credential, so only the name is given. */
function fileNameOf(part: Part): readonly string[] {
  if (part.type === "file") return [part.filename ?? part.mimeType];
  return part.type === "image" || part.type === "audio" ? [part.type] : [];
}

/** The source's number is the one by which the text cites it. The numbers of a list's items would be counted anew. */
function sourceLineOf(part: Part): readonly string[] {
  if (part.type !== "source") return [];
  const { n, url } = part;
  const title = escaped((part.title ?? "").replaceAll(/\s+/g, " ").trim());
  const named = title && url ? `[${title}](${destination(url)})` : notBlock(title) || bareAddress(url);
  return named === "" ? [] : [`- ${n === undefined ? "" : `[${n}] `}${named}`];
}

/** Escapes a line, so that markdown shows it as it is: it ends no link and begins no other construct. */
function escaped(line: string): string {
  const text = line.replaceAll(
    /[\\`*[\]~$]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|<(?=[a-z/!?])|&(?=#?\w+;)/giu,
    String.raw`\$&`,
  );
  // Escaped brackets around an operator would be TeX.
  return text.replaceAll(/\\\[(?=[^\]]*[\^_=<>+*/-])/g, "&#91;");
}

/** Escapes a line so that it does not become a list or heading inside its item. */
function notBlock(line: string): string {
  return line.replace(/^(?=[#>+=-])|(?<=^\d+)(?=[.)])/, "\\");
}

/**
 * The address of a link. An address with brackets is put in angle brackets, so that programs that detect addresses end it
 * correctly.
 */
function destination(url: string): string {
  const address = encoded(url).replaceAll(/\\|&(?=#?\w+;)/g, String.raw`\$&`);
  return /[()]/.test(address) ? `<${address}>` : address;
}

/** A link whose text is its address. An address that programs may not detect is marked as a link, if markdown supports that. */
function bareAddress(url: string): string {
  if (/^[a-z\d:/.?#=&%,+@-]*$/i.test(url)) return url;
  return /^[a-z][a-z\d+.-]+:/i.test(url) ? `<${encoded(url)}>` : escaped(url);
}

/** The address with encoded characters that would otherwise end it. */
function encoded(url: string): string {
  return url.replaceAll(/[\s<>\p{Cc}]/gu, (sign) => encodeURIComponent(sign));
}
