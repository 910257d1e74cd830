/** What a visitor's message is made of, measured before a byte of its files is read. */
import type { LanguageModelV4FilePart, LanguageModelV4TextPart } from "@ai-sdk/provider";
import type { Attachment, Message, Part } from "@nitka/protocol";
import { partsOf } from "@nitka/protocol/message";
import { fileOfBase64, fileOfDataUrl } from "../../data-url.ts";
import type { InlineFile } from "../../data-url.ts";
import { cutText } from "./cut-text.ts";
import { FILE_CHARS } from "./prompt-chars.ts";

export type UserPart = LanguageModelV4TextPart | LanguageModelV4FilePart;

/** The files of a conversation that lie in the server's keeping. */
export interface StoredFiles {
  /** Those that parts name, by the addresses that stand there. */
  readonly attachments?: ReadonlyMap<string, Attachment> | undefined;
  /** @param maxBytes how many of its first bytes are enough; all of them unless given */
  readonly readAttachment: (attachment: Attachment, maxBytes?: number) => Promise<Uint8Array>;
}

export type Piece =
  /** The visitor's own words. */
  | { readonly type: "text"; readonly text: string }
  /** A file that cannot be sent: its name, and why. */
  | { readonly type: "mention"; readonly name: string; readonly mediaType: string; readonly why: string }
  /** A file that is sent as text. */
  | ({ readonly type: "document" } & StoredFile)
  /** A file that is sent as it is. */
  | ({ readonly type: "file" } & StoredFile);

interface StoredFile {
  readonly name: string;
  readonly mediaType: string;
  readonly size: number;
  readonly read: (maxBytes?: number) => Promise<Uint8Array>;
}

/** Of one file's text, in characters. */
const MAX_TEXT_CHARS = 100_000;

/** A reason why a file is missing is no longer than this. */
const MAX_REASON_CHARS = 80;

/** No character takes more bytes of UTF-8 for each unit of a JavaScript string. */
const BYTES_PER_CHAR = 3;

/** Images that the providers understand; others would make them refuse the whole request. */
const MODEL_IMAGES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/**
 * A message in pieces. Nothing is ever fetched: bytes come out of the message or from the visitor's own uploads. What
 * cannot be sent is named instead.
 */
export function userPieces(message: Message, stored: StoredFiles): readonly Piece[] {
  const attached = (message.attachments ?? []).map((attachment) => {
    const { name, contentType, url } = attachment;
    const inline = fileOfDataUrl(url);
    return inline ? inlinePiece(name, contentType, inline) : storedPiece(name, attachment, stored);
  });
  return [...partsOf(message).flatMap((part) => partPieces(part, stored)), ...attached];
}

/** The most characters that a piece takes. */
export function pieceChars(piece: Piece): number {
  switch (piece.type) {
    case "text":
      return piece.text.length;
    case "mention":
      return mention(piece, piece.why).text.length;
    case "document":
      return mention(piece, "").text.length + Math.max(MAX_REASON_CHARS, Math.min(piece.size, MAX_TEXT_CHARS));
    case "file":
      return FILE_CHARS;
    default:
      return piece satisfies never;
  }
}

/**
 * A piece as the model gets it: no longer than the room, but for the visitor's own words; `undefined` when nothing of it
 * fits.
 *
 * @param fits whether the request has room for the file's bytes
 */
export async function renderPiece(piece: Piece, room: number, fits: boolean): Promise<UserPart | undefined> {
  if (piece.type === "text") return { type: "text", text: piece.text };
  if (piece.type === "mention") return within(mention(piece, piece.why), room);
  if (piece.type === "file" && (!fits || room < FILE_CHARS)) {
    return within(mention(piece, "The file was left out: the conversation holds too many."), room);
  }
  const textRoom = Math.min(MAX_TEXT_CHARS, room - mention(piece, "").text.length);
  if (piece.type === "document" && textRoom <= MAX_REASON_CHARS && textRoom < piece.size) {
    return within(mention(piece, "The file was left out: there was no room for it."), room);
  }
  try {
    if (piece.type === "file") {
      const { name: filename, mediaType } = piece;
      return { type: "file", data: { type: "data", data: await piece.read() }, mediaType, filename };
    }
    // One character more than there is room for shows that something is missing.
    const bytes = await piece.read((textRoom + 1) * BYTES_PER_CHAR);
    return mention(piece, cutText(new TextDecoder().decode(bytes), textRoom));
  } catch {
    return within(mention(piece, "The file could not be read."), room);
  }
}

function partPieces(part: Part, stored: StoredFiles): readonly Piece[] {
  switch (part.type) {
    case "text":
      return part.text.trim() === "" ? [] : [{ type: "text", text: part.text }];
    case "image":
      return [urlPiece("image", part.image, stored)];
    case "file": {
      const { filename: name = "file", mimeType } = part;
      return ["data" in part ? base64Piece(name, mimeType, part.data) : urlPiece(name, part.url, stored, mimeType)];
    }
    case "audio": {
      const { audio } = part;
      const mediaType = `audio/${audio.format}`;
      return [
        "data" in audio ? base64Piece("audio", mediaType, audio.data) : urlPiece("audio", audio.url, stored, mediaType),
      ];
    }
    default:
      return [];
  }
}

function urlPiece(name: string, url: string, stored: StoredFiles, type?: string): Piece {
  const inline = fileOfDataUrl(url);
  if (inline) return inlinePiece(name, type ?? inline.contentType, inline);
  const attachment = stored.attachments?.get(url);
  if (attachment) return storedPiece(name, attachment, stored);
  return { type: "mention", name, mediaType: type ?? "application/octet-stream", why: "The file could not be read." };
}

function base64Piece(name: string, mediaType: string, data: string): Piece {
  return inlinePiece(name, mediaType, fileOfBase64(data, mediaType));
}

function inlinePiece(name: string, mediaType: string, { size, bytes }: InlineFile): Piece {
  return filePiece(name, mediaType, size, async () => bytes());
}

function storedPiece(name: string, attachment: Attachment, { readAttachment }: StoredFiles): Piece {
  const { contentType, size } = attachment;
  return filePiece(name, contentType, size, (maxBytes) => readAttachment(attachment, maxBytes));
}

function filePiece(name: string, contentType: string, size: number, read: StoredFile["read"]): Piece {
  const mediaType = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const file = { name, mediaType, size, read };
  if (isText(mediaType)) return { type: "document", ...file };
  return MODEL_IMAGES.has(mediaType) || mediaType === "application/pdf" || mediaType.startsWith("audio/")
    ? { type: "file", ...file }
    : { type: "mention", name, mediaType, why: "The model cannot read files of this kind." };
}

/** A file in words: models know such tags from their training. */
function mention(file: { readonly name: string; readonly mediaType: string }, text: string): LanguageModelV4TextPart {
  const { name, mediaType } = file;
  return {
    type: "text",
    text: `<attachment name="${attribute(name)}" type="${attribute(mediaType)}">\n${text}\n</attachment>`,
  };
}

function within(part: LanguageModelV4TextPart, room: number): LanguageModelV4TextPart | undefined {
  return part.text.length <= room ? part : undefined;
}

function attribute(value: string): string {
  return value.replaceAll(/["<>\r\n]/g, "_");
}

function isText(type: string): boolean {
  return (
    type.startsWith("text/") || /^(application|image)\/(.+\+)?(json|xml|yaml|x-yaml|toml|javascript|sql)$/.test(type)
  );
}
