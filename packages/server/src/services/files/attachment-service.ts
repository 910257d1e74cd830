import type { Attachment } from "@nitka/protocol";
import { notFound, unprocessable } from "../../chat-error.ts";
import type { ModelRequest } from "../../model/model.ts";
import type { ByteRange, Owner, Pieces, Storage } from "../../storage/storage.ts";
import { asRunOwner } from "../runs/as-run-owner.ts";
import { keepFile } from "./keep-file.ts";
import type { IncomingFile } from "./keep-file.ts";
import type { FileMemory } from "./file-memory.ts";
import type { NewId } from "../new-id.ts";
import type { ReadyProject } from "../projects/ready-projects.ts";

export interface AttachmentService {
  /**
   * Stores a file for a later question of the thread.
   *
   * @param open begins to read the file; called after all other checks have passed
   */
  upload(
    owner: Owner,
    project: ReadyProject,
    threadId: string,
    open: (maxBytes: number) => Promise<IncomingFile>,
    allowance: UploadAllowance,
  ): Promise<Attachment>;
  find(owner: Owner, attachmentId: string): Promise<Attachment>;
  read(owner: Owner, attachmentId: string, range?: ByteRange): Promise<Pieces>;
}

/**
 * Counts an upload against the limits of its visitor and their address. Both methods throw a `ChatError` beyond a
 * limit.
 */
export interface UploadAllowance {
  /** Counts the upload. */
  readonly admit: () => Promise<void>;
  /** Counts its bytes as they arrive. */
  readonly take: (bytes: number) => void;
}

/** The most attachments of a thread, sent or not. Unsent ones are deleted after a day. */
const MAX_IN_THREAD = 1_000;

export function createAttachmentService(storage: Storage, clock: () => Date, newId: NewId): AttachmentService {
  return {
    async upload(owner, project, threadId, open, { admit, take }) {
      const rules = project.attachments;
      if (!(await storage.threads.find(owner, threadId))) throw notFound("thread");
      if (!rules) throw unprocessable("This project takes no attachments.");
      await admit();
      if ((await storage.attachments.count(owner, threadId)) >= MAX_IN_THREAD) {
        throw unprocessable(`This thread holds ${MAX_IN_THREAD} files already: begin a new one.`);
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

/**
 * Gives a model the bytes of attachments.
 *
 * @param memory accounts for the bytes
 */
export function readAttachment(
  storage: Storage,
  run: { readonly runId: string; readonly owner: Owner },
  memory: Pick<FileMemory, "read">,
): ModelRequest["readAttachment"] {
  return async ({ id, size }, maxBytes = size) => {
    const range = { start: 0, end: Math.min(size, maxBytes) };
    await memory.read(range.end);
    const pieces = await asRunOwner(storage.runs, run, (owner) => storage.attachments.read(owner, id, range));
    if (!pieces) throw notFound("attachment");
    const bytes: Uint8Array[] = [];
    for await (const piece of pieces) bytes.push(piece);
    const { buffer, byteOffset, byteLength } = Buffer.concat(bytes);
    return new Uint8Array(buffer, byteOffset, byteLength);
  };
}
