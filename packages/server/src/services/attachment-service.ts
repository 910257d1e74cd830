import type { Attachment } from "@nitka/protocol";
import { attachmentTypeOf } from "@nitka/protocol/attachment";
import { attachmentRoute } from "@nitka/protocol/routes";
import { ChatError } from "../chat-error.ts";
import type { ModelRequest } from "../model/model.ts";
import type { Owner, Storage } from "../storage/storage.ts";
import { asOwner } from "./as-owner.ts";
import { accepts, typeOfBytes } from "./attachment-rules.ts";
import { bytesOfBase64, parseDataUrl } from "./data-url.ts";
import type { NewId } from "./new-id.ts";
import type { ReadyProject } from "./projects.ts";

export interface UploadedFile {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

export interface AttachmentService {
  /** @param admit called before the file is kept: throws when the visitor has uploaded too often */
  upload(
    owner: Owner,
    project: ReadyProject,
    threadId: string,
    file: UploadedFile,
    admit: () => void,
  ): Promise<Attachment>;
  find(owner: Owner, attachmentId: string): Promise<Attachment>;
  read(owner: Owner, attachmentId: string): Promise<Uint8Array>;
}

const MAX_NAME_CHARS = 200;

/** Uploads of a thread, sent or not: what is never sent goes after a day. */
const MAX_IN_THREAD = 1_000;

export function createAttachmentService(storage: Storage, clock: () => Date, newId: NewId): AttachmentService {
  return {
    async upload(owner, project, threadId, file, admit) {
      const rules = project.attachments;
      if (!(await storage.threads.find(owner, threadId))) throw notFound("thread");
      if (!rules) throw new ChatError("unprocessable", "This project takes no attachments.");
      const name = cleanName(file.name);
      const size = file.bytes.length;
      if (size === 0) throw new ChatError("unprocessable", `The file ${name} is empty.`);
      if (size > rules.maxBytes) {
        throw new ChatError(
          "payload_too_large",
          `The file ${name} has ${size} bytes: at most ${rules.maxBytes} are taken.`,
        );
      }
      const contentType = typeOfBytes(file.contentType, name, file.bytes);
      if (contentType === undefined) {
        throw new ChatError(
          "unsupported_media_type",
          `The file ${name} is not what its type ${file.contentType} says.`,
        );
      }
      if (!accepts(rules.accept, { name, contentType })) {
        throw new ChatError(
          "unsupported_media_type",
          `The file ${name} is of the type ${contentType}: this project takes ${rules.accept}.`,
        );
      }
      admit();
      if ((await storage.attachments.count(owner, threadId)) >= MAX_IN_THREAD) {
        throw new ChatError("unprocessable", `This thread holds ${MAX_IN_THREAD} files already: begin a new one.`);
      }
      const id = newId("attachment");
      const type = attachmentTypeOf(contentType);
      const attachment: Attachment = { id, type, name, contentType, size, url: attachmentRoute(id) };
      const kept = await storage.attachments.create(owner, threadId, attachment, file.bytes, clock().toISOString());
      if (!kept) throw notFound("thread");
      return attachment;
    },

    async find(owner, attachmentId) {
      const found = await storage.attachments.find(owner, attachmentId);
      if (!found) throw notFound("attachment");
      return found.attachment;
    },

    async read(owner, attachmentId) {
      const bytes = await storage.attachments.read(owner, attachmentId);
      if (!bytes) throw notFound("attachment");
      return bytes;
    },
  };
}

/** How a model gets at the bytes of what a visitor has sent. */
export function readAttachment(
  storage: Storage,
  run: { readonly runId: string; readonly owner: Owner },
): ModelRequest["readAttachment"] {
  return async ({ id, url }) => {
    const inline = parseDataUrl(url);
    if (inline) return bytesOfBase64(inline.data);
    const bytes = await asOwner(storage.runs, run, (owner) => storage.attachments.read(owner, id));
    if (!bytes) throw notFound("attachment");
    return bytes;
  };
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

function notFound(what: string): ChatError {
  return new ChatError("not_found", `There is no such ${what}.`);
}
