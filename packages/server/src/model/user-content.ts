/** What a visitor's message holds beside its text, as the model gets it. */
import type { Attachment, Message, Part } from "@nitka/protocol";
import { partsOf } from "@nitka/protocol/message";
import type { FilePart, TextPart } from "ai";

export type UserContent = (TextPart | FilePart)[];

/** Bytes of files that may still go into this request; shared by all its messages, the newest first. */
export interface ByteBudget {
  left: number;
}

export type ReadAttachment = (attachment: Attachment) => Promise<Uint8Array>;

const MAX_TEXT_CHARS = 100_000;

/** Images that the providers understand; others would make them refuse the whole request. */
const MODEL_IMAGES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/**
 * A visitor's message as content parts: its text; images, sounds and PDFs as files; text files as text. Nothing is ever
 * fetched: bytes come out of data URLs or from the visitor's own uploads. What cannot be sent is named instead.
 */
export async function userContent(
  message: Message,
  read: ReadAttachment,
  budget: ByteBudget,
): Promise<UserContent | undefined> {
  const content: UserContent = [];
  for (const part of partsOf(message)) content.push(...(await contentOf(part, budget)));
  for (const attachment of message.attachments ?? []) {
    const { name, contentType, url } = attachment;
    const bytes = async () => bytesOf(url) ?? (await read(attachment));
    content.push(await fileContent({ name, contentType, bytes }, budget));
  }
  return content.length === 0 ? undefined : content;
}

async function contentOf(part: Part, budget: ByteBudget): Promise<UserContent> {
  switch (part.type) {
    case "text":
      return part.text.trim() === "" ? [] : [{ type: "text", text: part.text }];
    case "image":
      return [await fileContent(fromUrl("image", part.image), budget)];
    case "file": {
      const name = part.filename ?? "file";
      const blob =
        "data" in part
          ? { name, contentType: part.mimeType, bytes: async () => Buffer.from(part.data, "base64") }
          : { ...fromUrl(name, part.url), contentType: part.mimeType };
      return [await fileContent(blob, budget)];
    }
    case "audio": {
      const bytes = async () => Buffer.from(part.audio.data, "base64");
      return [await fileContent({ name: "audio", contentType: `audio/${part.audio.format}`, bytes }, budget)];
    }
    default:
      return [];
  }
}

interface Blob {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: () => Promise<Uint8Array>;
}

function fromUrl(name: string, url: string): Blob {
  const contentType = /^data:([^;,]+)/.exec(url)?.[1] ?? "application/octet-stream";
  const bytes = async () => {
    const decoded = bytesOf(url);
    if (!decoded) throw new Error("The file is named by an address that the server does not fetch");
    return decoded;
  };
  return { name, contentType, bytes };
}

async function fileContent({ name, contentType, bytes }: Blob, budget: ByteBudget): Promise<TextPart | FilePart> {
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const asText = isText(type);
  if (!asText && !MODEL_IMAGES.has(type) && type !== "application/pdf" && !type.startsWith("audio/")) {
    return mention(name, type, "The model cannot read files of this kind.");
  }
  let data: Uint8Array;
  try {
    data = await bytes();
  } catch {
    return mention(name, type, "The file could not be read.");
  }
  if (asText) return mention(name, type, shortened(new TextDecoder().decode(data)));
  if (data.byteLength > budget.left)
    return mention(name, type, "The file was left out: the conversation holds too many.");
  budget.left -= data.byteLength;
  return { type: "file", data, mediaType: type, filename: name };
}

/** A file in words: models know such tags from their training. */
function mention(name: string, type: string, text: string): TextPart {
  return {
    type: "text",
    text: `<attachment name="${attribute(name)}" type="${attribute(type)}">\n${text}\n</attachment>`,
  };
}

function attribute(value: string): string {
  return value.replaceAll(/["<>\r\n]/g, "_");
}

function shortened(text: string): string {
  return text.length <= MAX_TEXT_CHARS
    ? text
    : `${text.slice(0, MAX_TEXT_CHARS)}\n… (${text.length} characters in all)`;
}

function isText(type: string): boolean {
  return (
    type.startsWith("text/") || /^(application|image)\/(.+\+)?(json|xml|yaml|x-yaml|toml|javascript|sql)$/.test(type)
  );
}

/** The bytes in a data URL (RFC 2397); `undefined` for any other address. */
function bytesOf(url: string): Uint8Array | undefined {
  const match = /^data:([^,]*),(.*)$/s.exec(url);
  if (!match) return undefined;
  const [, head = "", body = ""] = match;
  if (head.endsWith(";base64")) return Buffer.from(body, "base64");
  try {
    return Buffer.from(decodeURIComponent(body));
  } catch {
    return Buffer.from(body);
  }
}
