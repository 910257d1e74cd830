/** The files of a question. Files inside it become uploads; it references other files by the ids of uploads. */
import type { Attachment, Message, Part } from "@nitka/protocol";
import { attachmentIdIn } from "@nitka/protocol/routes";
import { acceptsFile } from "@nitka/protocol/accepts-file";
import type { FullAttachmentRules } from "@nitka/protocol/attachment-rules";
import { isDataUrl } from "@nitka/protocol/data-url";
import { mimeEssence } from "@nitka/protocol/mime-type";
import { unprocessable } from "../../chat-error.ts";
import { fileOfBase64, fileOfDataUrl } from "../../data-url.ts";
import type { InlineFile } from "../../data-url.ts";
import type { IncomingFile } from "./keep-file.ts";
import type { ReadyProject } from "../projects/ready-projects.ts";
import type { ThreadFiles } from "./thread-files.ts";

/** A part of a question. */
export type AskedPart = Extract<Part, { type: "text" }> | AskedFilePart;

type AskedFilePart =
  | Extract<Part, { type: "image" | "audio" }>
  | ({ readonly type: "file"; readonly mimeType: string; readonly filename?: string | undefined } & (
      | { readonly data: string }
      | { readonly url: string }
    ));

/** An upload by its id, or a file as a data URL, which becomes an upload. */
export interface AskedAttachment extends Pick<Attachment, "id" | "url"> {
  readonly name?: string | undefined;
  readonly contentType?: string | undefined;
}

export interface AskedContent {
  readonly content: string | readonly AskedPart[];
  readonly attachments?: readonly AskedAttachment[] | undefined;
}

/** A file of a question, from a part or an attachment. */
interface AskedFile {
  readonly name: string;
  /** The prefix that its MIME type must have. */
  readonly kind: "" | "image/" | "audio/";
  /** The MIME type that the visitor claims; empty for an upload, whose type is stored. */
  readonly claimed: string;
  /** The bytes; `undefined` for an upload, and for an address that is neither an upload nor a data URL. */
  readonly inline: InlineFile | undefined;
  readonly uploadId: string | undefined;
}

/**
 * Checks the files of a question against the project's rules, without reading from the storage.
 *
 * @returns the number of files
 *
 * @throws ChatError `unprocessable`, naming what is wrong
 */
export function checkFiles({ content, attachments = [] }: AskedContent, { attachments: rules }: ReadyProject): number {
  const parts = typeof content === "string" ? [] : content;
  const files = [...parts.flatMap((part) => fileOfPart(part) ?? []), ...attachments.map(fileOfAttachment)];
  if (files.length === 0) return 0;
  if (!rules) throw unprocessable("This project takes no attachments.");
  if (files.length > rules.maxCount) {
    throw unprocessable(`The message has ${files.length} attachments: at most ${rules.maxCount} are accepted.`);
  }
  for (const file of files) checkFile(file, rules);
  return files.length;
}

/**
 * The number of characters of a question that are files. They do not count against the limit of a body without files.
 */
export function fileCharsOf({ content, attachments = [] }: AskedContent): number {
  const parts = typeof content === "string" ? [] : content;
  const texts = [...parts.map(fileTextOf), ...attachments.map(({ url }) => url)];
  return texts.reduce((sum, text) => sum + text.length, 0);
}

/**
 * Stores the files of a checked question.
 *
 * @returns the question's content, which contains the addresses of its files and none of their bytes
 * @throws ChatError naming what is wrong with a file
 */
export async function keepFiles(
  { content, attachments = [] }: AskedContent,
  files: ThreadFiles,
): Promise<Pick<Message, "content" | "attachments">> {
  const parts = typeof content === "string" ? [] : content;
  const asked = [...parts.map(fileOfPart), ...attachments.map(fileOfAttachment)];
  const found: (Attachment | IncomingFile | undefined)[] = [];
  for (const file of asked) found.push(file && (await find(file, files)));
  // Files are stored only after all were found, so that a question with one bad file leaves nothing behind.
  const kept: (Attachment | undefined)[] = [];
  for (const file of found) kept.push(file && "pieces" in file ? await files.keep(file) : file);
  const sent = kept.slice(parts.length).filter((attachment) => attachment !== undefined);
  return {
    content: typeof content === "string" ? content : content.map((part, index) => partWith(part, kept[index])),
    ...(sent.length > 0 && { attachments: sent }),
  };
}

/** The part with the address of its file, relative to the API base, in place of the bytes. */
function partWith(part: AskedPart, attachment: Attachment | undefined): Part {
  if (part.type === "text" || !attachment) return part;
  const { url, contentType } = attachment;
  switch (part.type) {
    case "image":
      return { type: "image", image: url };
    case "audio":
      return { type: "audio", audio: { url, format: part.audio.format } };
    case "file": {
      const { filename } = part;
      return { type: "file", url, mimeType: contentType, ...(filename !== undefined && { filename }) };
    }
    default:
      return part satisfies never;
  }
}

function fileOfPart(part: AskedPart): AskedFile | undefined {
  switch (part.type) {
    case "text":
      return undefined;
    case "image":
      return { name: "image", kind: "image/", ...fileOfUrl(part.image) };
    case "audio": {
      const type = `audio/${part.audio.format}`;
      const source = "data" in part.audio ? fileOfBytes(part.audio.data, type) : fileOfUrl(part.audio.url, type);
      return { name: "audio", kind: "audio/", ...source };
    }
    case "file": {
      const type = mimeEssence(part.mimeType);
      const source = "data" in part ? fileOfBytes(part.data, type) : fileOfUrl(part.url, type);
      return { name: part.filename ?? "file", kind: "", ...source };
    }
    default:
      return part satisfies never;
  }
}

function fileOfAttachment({ id, url, name = "file", contentType }: AskedAttachment): AskedFile {
  if (!isDataUrl(url)) return { name, kind: "", claimed: "", inline: undefined, uploadId: id };
  const file = { name, kind: "", ...fileOfUrl(url) } as const;
  const type = contentType === undefined ? file.claimed : mimeEssence(contentType);
  if (type !== file.claimed)
    throw unprocessable(`The attachment ${name} has the contentType ${type}, but its data URL has ${file.claimed}.`);
  return file;
}

/**
 * A file by its address, which is an upload's or a data URL. The server fetches no other addresses, so such a file has
 * no bytes.
 */
function fileOfUrl(url: string, type?: string): Pick<AskedFile, "claimed" | "inline" | "uploadId"> {
  const inline = fileOfDataUrl(url);
  return { claimed: type ?? inline?.contentType ?? "", inline, uploadId: attachmentIdIn(url) };
}

/** A file by its base64. Some clients send a data URL there. */
function fileOfBytes(data: string, type: string): Pick<AskedFile, "claimed" | "inline" | "uploadId"> {
  return isDataUrl(data)
    ? fileOfUrl(data, type)
    : { claimed: type, inline: fileOfBase64(data, type), uploadId: undefined };
}

/** The characters of a part that encode its file. */
function fileTextOf(part: AskedPart): string {
  switch (part.type) {
    case "text":
      return "";
    case "image":
      return part.image;
    case "audio":
      return "data" in part.audio ? part.audio.data : part.audio.url;
    case "file":
      return "data" in part ? part.data : part.url;
    default:
      return part satisfies never;
  }
}

function checkFile({ name, kind, claimed, inline, uploadId }: AskedFile, rules: FullAttachmentRules): void {
  if (uploadId !== undefined) return;
  if (!inline) {
    throw unprocessable(
      `The file ${name} must be a data URL, base64 or an uploaded file: the server fetches no addresses.`,
    );
  }
  const { size } = inline;
  if (size === 0) throw unprocessable(`The file ${name} is empty.`);
  if (size > rules.maxBytes)
    throw unprocessable(`The file ${name} has ${size} bytes: at most ${rules.maxBytes} are accepted.`);
  if (!inline.isWhole())
    throw unprocessable(`The file ${name} is incomplete: its base64 is cut off, or contains other characters.`);
  if (!claimed.startsWith(kind) || !acceptsFile(rules.accept, { name, contentType: claimed })) {
    throw unprocessable(
      `The file ${name} is of the type ${claimed}: ${kind === "" ? "" : `the part must have ${kind}*, and `}this project accepts ${rules.accept}.`,
    );
  }
}

async function find(
  { name, kind, claimed, inline, uploadId }: AskedFile,
  files: ThreadFiles,
): Promise<Attachment | IncomingFile> {
  if (inline) return { name, contentType: claimed, pieces: inline.pieces(), maxSize: inline.size };
  const upload = uploadId === undefined ? undefined : await files.find(uploadId);
  if (!upload?.contentType.startsWith(kind))
    throw unprocessable(`The attachment ${uploadId ?? name} is not an upload of this thread.`);
  return upload;
}
