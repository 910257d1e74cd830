import type { Attachment } from "@nitka/protocol";
import { ChatError } from "../chat-error.ts";
import type { ModelRequest } from "../model/model.ts";
import type { ByteRange, Owner, Pieces, Storage } from "../storage/storage.ts";
import { fileOfDataUrl } from "../data-url.ts";
import { asOwner } from "./as-owner.ts";
import { keepFile } from "./keep-file.ts";
import type { IncomingFile } from "./keep-file.ts";
import type { NewId } from "./new-id.ts";
import type { ReadyProject } from "./projects.ts";

export interface AttachmentService {
  /**
   * Keeps a file of a thread.
   *
   * @param open begins to read the file: called once it may come at all
   * @param leave what the visitor and their address may still do
   */
  upload(
    owner: Owner,
    project: ReadyProject,
    threadId: string,
    open: (maxBytes: number) => Promise<IncomingFile>,
    leave: UploadLeave,
  ): Promise<Attachment>;
  find(owner: Owner, attachmentId: string): Promise<Attachment>;
  read(owner: Owner, attachmentId: string, range?: ByteRange): Promise<Pieces>;
}

/** Both throw when it is too much. */
export interface UploadLeave {
  /** One more upload. */
  readonly admit: () => void;
  /** So many more bytes. */
  readonly take: (bytes: number) => void;
}

/** Uploads of a thread, sent or not: what is never sent goes after a day. */
const MAX_IN_THREAD = 1_000;

export function createAttachmentService(storage: Storage, clock: () => Date, newId: NewId): AttachmentService {
  return {
    async upload(owner, project, threadId, open, { admit, take }) {
      const rules = project.attachments;
      if (!(await storage.threads.find(owner, threadId))) throw notFound("thread");
      if (!rules) throw new ChatError("unprocessable", "This project takes no attachments.");
      admit();
      if ((await storage.attachments.count(owner, threadId)) >= MAX_IN_THREAD) {
        throw new ChatError("unprocessable", `This thread holds ${MAX_IN_THREAD} files already: begin a new one.`);
      }
      const { limits } = project;
      return keepFile(await open(rules.maxBytes), { storage, owner, threadId, rules, limits, take, clock, newId });
    },

    async find(owner, attachmentId) {
      const found = await storage.attachments.find(owner, attachmentId);
      if (!found) throw notFound("attachment");
      return found.attachment;
    },

    async read(owner, attachmentId, range) {
      const pieces = await storage.attachments.read(owner, attachmentId, range);
      if (!pieces) throw notFound("attachment");
      return pieces;
    },
  };
}

/** How a model gets at the bytes of what a visitor has sent. */
export function readAttachment(
  storage: Storage,
  run: { readonly runId: string; readonly owner: Owner },
): ModelRequest["readAttachment"] {
  return async ({ id, url, size }, maxBytes = size) => {
    const inline = fileOfDataUrl(url);
    if (inline) return inline.bytes();
    const range = { start: 0, end: Math.min(size, maxBytes) };
    const pieces = await asOwner(storage.runs, run, (owner) => storage.attachments.read(owner, id, range));
    if (!pieces) throw notFound("attachment");
    const bytes: Uint8Array[] = [];
    for await (const piece of pieces) bytes.push(piece);
    const { buffer, byteOffset, byteLength } = Buffer.concat(bytes);
    return new Uint8Array(buffer, byteOffset, byteLength);
  };
}

function notFound(what: string): ChatError {
  return new ChatError("not_found", `There is no such ${what}.`);
}
