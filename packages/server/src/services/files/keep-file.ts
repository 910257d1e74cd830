import type { Attachment } from "@nitka/protocol";
import { attachmentTypeOf } from "@nitka/protocol/attachment";
import { acceptsFile } from "@nitka/protocol/accepts-file";
import type { FullAttachmentRules } from "@nitka/protocol/attachment-rules";
import { attachmentRoute } from "@nitka/protocol/routes";
import { ChatError, notFound, unprocessable } from "../../chat-error.ts";
import type { Owner, Pieces, Storage } from "../../storage/storage.ts";
import type { NewId } from "../new-id.ts";
import type { Limits } from "../projects/project.ts";
import { UPLOAD_MS } from "../timings.ts";
import { typeOfBytes } from "./type-of-bytes.ts";

/** A file that is being read. Its name and type are claims of its sender. */
export interface IncomingFile {
  readonly name: string;
  readonly contentType: string;
  readonly pieces: Pieces;
  /** The upper bound of its size, if it is known in advance. This much room is reserved at once. */
  readonly maxSize?: number | undefined;
}

export interface KeepFileOptions {
  readonly storage: Storage;
  readonly owner: Owner;
  readonly threadId: string;
  readonly rules: FullAttachmentRules;
  readonly limits: Pick<Limits, "storageBytes" | "projectStorageBytes">;
  /**
   * Called with the number of bytes as they arrive.
   *
   * @throws ChatError when the sender may not send more
   */
  readonly take?: ((bytes: number) => void) | undefined;
  readonly clock: () => Date;
  readonly newId: NewId;
  /** The message that the file belongs to; absent for an upload that is not sent yet. */
  readonly messageId?: string;
}

/** The bytes at the beginning of a file from which its type is checked. */
const HEAD_BYTES = 65_536;

const MAX_NAME_CHARS = 200;

/**
 * Stores a file piece by piece and makes it an attachment. A refused file leaves nothing behind.
 *
 * @throws ChatError `unprocessable`, `payload_too_large`, `unsupported_media_type` or `storage_exceeded`, as soon as
 * the reason is known; `not_found` when the thread is gone
 */
export async function keepFile(file: IncomingFile, options: KeepFileOptions): Promise<Attachment> {
  const { storage, owner, threadId, rules, limits, take, clock, newId, messageId } = options;
  const name = cleanName(file.name);
  const { head, whole, pieces } = await peek(file.pieces, HEAD_BYTES);
  if (head.length === 0) throw unprocessable(`The file ${name} is empty.`);
  if (head.length > rules.maxBytes) throw tooLarge(name, rules.maxBytes);
  const contentType = checkedType({ name, contentType: file.contentType }, head, rules);

  const id = newId("attachment");
  const until = new Date(clock().getTime() + UPLOAD_MS).toISOString();
  /** Reserves `wanted` bytes, or `needed` if there is no room for more. Returns the number of bytes. */
  async function reserve(needed: number, wanted: number): Promise<number> {
    const { storageBytes: limit, projectStorageBytes: projectLimit } = limits;
    let outcome = "";
    for (const bytes of [Math.min(wanted, rules.maxBytes), needed]) {
      outcome = await storage.attachments.reserve(owner, threadId, { fileId: id, bytes, until, limit, projectLimit });
      if (outcome === "missing") throw notFound("thread");
      if (outcome === "reserved") return bytes;
    }
    throw outcome === "full" ? full(name, limit) : projectFull(name);
  }

  let room = await reserve(head.length, whole ? head.length : (file.maxSize ?? 2 * head.length));
  try {
    let size = 0;
    const count = async (length: number) => {
      size += length;
      take?.(length);
      if (size > rules.maxBytes) throw tooLarge(name, rules.maxBytes);
      if (size > room) room = await reserve(size, 2 * size);
    };
    await storage.attachments.write(id, counted(pieces, count));
    const type = attachmentTypeOf(contentType);
    const attachment: Attachment = { id, type, name, contentType, size, url: attachmentRoute(id) };
    const created = { at: clock().toISOString(), ...(messageId !== undefined && { messageId }) };
    if (await storage.attachments.create(owner, threadId, attachment, created)) return attachment;
    throw notFound("thread");
  } catch (error) {
    // If this fails too, housekeeping deletes the file after `until`.
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
  if (!acceptsFile(accept, { name, contentType })) {
    throw new ChatError(
      "unsupported_media_type",
      `The file ${name} is of the type ${contentType}: this project accepts ${accept}.`,
    );
  }
  return contentType;
}

/**
 * Cleans a file name: removes a path, which old browsers send, and control characters, which no header may contain.
 *
 * @example cleanName("C:\\docs\\a.txt") // "a.txt"
 */
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
  return new ChatError("payload_too_large", `The file ${name} has more than the ${maxBytes} bytes that are accepted.`);
}

function full(name: string, limit: number | null): ChatError {
  return new ChatError(
    "storage_exceeded",
    `There is no room for the file ${name}: all your files together may have ${limit ?? 0} bytes. Delete chats with files that you no longer need.`,
    { limit: "storageBytes" },
  );
}

function projectFull(name: string): ChatError {
  return new ChatError(
    "storage_exceeded",
    `There is no room for the file ${name}: the files of this site have reached their limit.`,
    { limit: "projectStorageBytes" },
  );
}

/** A file whose beginning has been read. */
interface Peeked {
  readonly head: Uint8Array;
  /** Whether the head is the whole file. */
  readonly whole: boolean;
  /** All bytes, including the head. They can be read once. */
  readonly pieces: Pieces;
}

/** Reads the first `bytes` of a file, or all of a shorter file. The rest is read on demand. */
async function peek(pieces: Pieces, bytes: number): Promise<Peeked> {
  const rest = pieces[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let size = 0;
  let whole = false;
  while (size < bytes && !whole) {
    const next = await rest.next();
    if (next.done) whole = true;
    else {
      // A copy, because the source may reuse its memory for the next piece.
      first.push(Uint8Array.from(next.value));
      size += next.value.length;
    }
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      yield* first.splice(0);
      for (;;) {
        const next = await rest.next();
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await rest.return?.();
    }
  }
  return { head: Buffer.concat(first), whole, pieces: all() };
}
