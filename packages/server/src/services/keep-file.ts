import type { Attachment } from "@nitka/protocol";
import { attachmentTypeOf } from "@nitka/protocol/attachment";
import { attachmentRoute } from "@nitka/protocol/routes";
import { ChatError } from "../chat-error.ts";
import type { Owner, Pieces, Storage } from "../storage/storage.ts";
import { accepts, typeOfBytes } from "./attachment-rules.ts";
import type { FullAttachmentRules } from "./attachment-rules.ts";
import type { NewId } from "./new-id.ts";
import { peek } from "./peek.ts";
import type { Limits } from "./project.ts";

/** A file that is coming, as it calls itself. */
export interface IncomingFile {
  readonly name: string;
  readonly contentType: string;
  readonly pieces: Pieces;
  /** Bytes that there are at most, where that is known before they have come: so much room is taken at once. */
  readonly atMost?: number | undefined;
}

export interface Keeping {
  readonly storage: Storage;
  readonly owner: Owner;
  readonly threadId: string;
  readonly rules: FullAttachmentRules;
  readonly limits: Pick<Limits, "storageBytes" | "projectStorageBytes">;
  /** Called with so many more bytes as they come: throws when whoever sends them has sent enough. */
  readonly take?: ((bytes: number) => void) | undefined;
  readonly clock: () => Date;
  readonly newId: NewId;
  /** The message that the file belongs to from the beginning. */
  readonly messageId?: string;
}

/** Enough to know a file's kind by; a file that is no longer is known whole. */
const HEAD_BYTES = 65_536;

const MAX_NAME_CHARS = 200;

/** For how long a file may come. */
const COMING_MS = 3_600_000;

/**
 * Keeps a file as it comes, in pieces, as an attachment. What its first bytes, its size or its owner's quota forbid is
 * refused as soon as that is known, and nothing of it is kept.
 */
export async function keepFile(file: IncomingFile, keeping: Keeping): Promise<Attachment> {
  const { storage, owner, threadId, rules, limits, take, clock, newId, messageId } = keeping;
  const name = cleanName(file.name);
  const { head, whole, pieces } = await peek(file.pieces, HEAD_BYTES);
  if (head.length === 0) throw new ChatError("unprocessable", `The file ${name} is empty.`);
  if (head.length > rules.maxBytes) throw tooLarge(name, rules.maxBytes);
  const contentType = checkedType({ name, contentType: file.contentType }, head, rules);

  const id = newId("attachment");
  const until = new Date(clock().getTime() + COMING_MS).toISOString();
  async function roomFor(needed: number, hoped: number): Promise<number> {
    const { storageBytes: limit, projectStorageBytes: projectLimit } = limits;
    let refused = "";
    for (const bytes of [Math.min(hoped, rules.maxBytes), needed]) {
      refused = await storage.attachments.reserve(owner, threadId, { fileId: id, bytes, until, limit, projectLimit });
      if (refused === "missing") throw notFound();
      if (refused === "reserved") return bytes;
    }
    throw refused === "full" ? full(name, limit) : projectFull(name);
  }

  let room = await roomFor(head.length, whole ? head.length : (file.atMost ?? 2 * head.length));
  try {
    let size = 0;
    const count = async (length: number) => {
      size += length;
      take?.(length);
      if (size > rules.maxBytes) throw tooLarge(name, rules.maxBytes);
      if (size > room) room = await roomFor(size, 2 * size);
    };
    await storage.attachments.write(id, counted(pieces, count));
    const type = attachmentTypeOf(contentType);
    const attachment: Attachment = { id, type, name, contentType, size, url: attachmentRoute(id) };
    const options = { at: clock().toISOString(), ...(messageId !== undefined && { messageId }) };
    if (await storage.attachments.create(owner, threadId, attachment, options)) return attachment;
    throw notFound();
  } catch (error) {
    // Should that fail as well, the file is swept when its time has come.
    await storage.attachments.release(id).catch(() => undefined);
    throw error;
  }
}

async function* counted(pieces: Pieces, count: (length: number) => Promise<void>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    await count(piece.length);
    yield piece;
  }
}

function checkedType(
  file: { readonly name: string; readonly contentType: string },
  head: Uint8Array,
  { accept }: FullAttachmentRules,
): string {
  const { name } = file;
  const contentType = typeOfBytes(file.contentType, name, head);
  if (contentType === undefined) {
    throw new ChatError("unsupported_media_type", `The file ${name} is not what its type ${file.contentType} says.`);
  }
  if (!accepts(accept, { name, contentType })) {
    throw new ChatError(
      "unsupported_media_type",
      `The file ${name} is of the type ${contentType}: this project takes ${accept}.`,
    );
  }
  return contentType;
}

/** A name without its path, which old browsers send along, and without what a header could not carry. */
function cleanName(name: string): string {
  const last =
    name
      .toWellFormed()
      .replaceAll(/\p{Cc}/gu, "")
      .split(/[/\\]/)
      .at(-1)
      ?.trim() ?? "";
  return Array.from(last).slice(0, MAX_NAME_CHARS).join("") || "file";
}

function tooLarge(name: string, maxBytes: number): ChatError {
  return new ChatError("payload_too_large", `The file ${name} has more than the ${maxBytes} bytes that are taken.`);
}

function full(name: string, limit: number | null): ChatError {
  return new ChatError(
    "storage_exceeded",
    `There is no room for the file ${name}: all your files together may have ${limit ?? 0} bytes. Delete chats with files that you no longer need.`,
  );
}

function projectFull(name: string): ChatError {
  return new ChatError(
    "storage_exceeded",
    `There is no room for the file ${name}: the site keeps as many files as it may.`,
  );
}

function notFound(): ChatError {
  return new ChatError("not_found", "There is no such thread.");
}
