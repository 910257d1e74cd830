/** The files of drafts: which ones are accepted, and how they are sent to the backend. */
import type { Attachment } from "@nitka/protocol";
import { attachmentTypeOf } from "@nitka/protocol/attachment";
import { acceptFiles, contentTypeOf } from "../store/accepted-files.ts";
import * as composer from "../store/composer.ts";
import { attachmentRules, draftOf } from "../store/selectors.ts";
import type { DraftAttachment } from "../store/state.ts";
import type { ActionContext } from "./action-context.ts";
import { failureOf } from "./action-context.ts";
import type { Actions } from "./actions.ts";

export interface Attachments extends Pick<Actions, "addFiles" | "removeAttachment" | "retryAttachment"> {
  /** Whether files are on their way into a thread's draft. */
  isAdding(threadId: string): boolean;
  /** The network may be back: retries the uploads that failed without it. */
  reconnect(threadId: string): void;
  /** Resolves when no file of the draft is being uploaded. Failed uploads are retried once. */
  finishUploads(threadId: string): Promise<void>;
  /** Converts a draft's files to attachments of a message. Rejects if one cannot be read. */
  toMessage(files: readonly DraftAttachment[]): Promise<readonly Attachment[]>;
  /**
   * Converts files that were never in a draft to attachments of a message; they are uploaded if the backend takes uploads.
   * Rejects if the project does not accept a file or an upload fails.
   */
  prepare(threadId: string, files: readonly File[]): Promise<readonly Attachment[]>;
  /** Revokes the blob URLs of these files' pictures. */
  releasePreviews(attachments: readonly DraftAttachment[]): void;
  /** Aborts the uploads of a thread's draft, and revokes the blob URLs of its pictures. */
  discard(threadId: string): void;
}

export function createAttachments(context: ActionContext): Attachments {
  const { store, transport, newId, previews, readDataUrl } = context;
  const uploads = new Map<string, { readonly controller: AbortController; readonly done: Promise<void> }>();

  const upload = (threadId: string, { id, file, type, preview }: DraftAttachment) => {
    const { uploadAttachment } = transport;
    if (!uploadAttachment) return;
    const controller = new AbortController();
    const attachment = { id, file, type, ...(preview !== undefined && { preview }) };
    const set = (changed: (before: DraftAttachment) => DraftAttachment, pace?: "frame") =>
      store.set(
        (state) => composer.changeDraft(state, threadId, (draft) => composer.changeAttachment(draft, id, changed)),
        pace,
      );
    const send = async () => {
      set(() => ({ ...attachment, status: "uploading", progress: 0 }));
      try {
        const uploaded = await uploadAttachment(threadId, file, {
          signal: AbortSignal.any([controller.signal, context.signal]),
          onProgress: (progress) =>
            set((before) => (before.status === "uploading" ? { ...before, progress } : before), "frame"),
        });
        set(() => ({ ...attachment, status: "uploaded", attachment: uploaded }));
      } catch (error) {
        if (controller.signal.aborted) return;
        const failure = failureOf(context, error);
        set(() => ({ ...attachment, status: "failed", failure }));
      } finally {
        uploads.delete(id);
      }
    };
    uploads.set(id, { controller, done: send() });
  };

  const abandon = (attachment: DraftAttachment) => {
    uploads.get(attachment.id)?.controller.abort();
    if (attachment.preview !== undefined) previews.release(attachment.preview);
  };
  const filesOf = (threadId: string) => draftOf(store.get(), threadId).attachments;

  const toDraft = (given: File): DraftAttachment => {
    const { file, type } = typedFile(given);
    const attachment = { id: newId(), file, type, ...(type === "image" && { preview: previews.create(given) }) };
    return transport.uploadAttachment
      ? { ...attachment, status: "uploading", progress: 0 }
      : { ...attachment, status: "local" };
  };

  /** The attachment is uploaded already, or contains all bytes of the file as a data URL. */
  const toAttachment = async (draft: DraftAttachment): Promise<Attachment> => {
    if (draft.status === "uploaded") return draft.attachment;
    const { id, type, file } = draft;
    const url = await readDataUrl(file);
    return { id, type, name: file.name, contentType: file.type, size: file.size, url };
  };

  return {
    isAdding: () => false,
    addFiles(threadId, files) {
      const rules = attachmentRules(store.get().config);
      const { accepted, failure } = acceptFiles(files, rules, filesOf(threadId).length);
      const added = accepted.map(toDraft);
      store.set((state) =>
        composer.changeDraft(state, threadId, (before) => {
          const draft = composer.addAttachments(before, added);
          return failure ? composer.failDraft(draft, failure) : composer.withoutFailure(draft);
        }),
      );
      for (const attachment of added) upload(threadId, attachment);
    },
    removeAttachment(threadId, attachmentId) {
      const attachment = filesOf(threadId).find(({ id }) => id === attachmentId);
      if (!attachment) return;
      abandon(attachment);
      store.set((state) =>
        composer.changeDraft(state, threadId, (draft) => composer.removeAttachment(draft, attachmentId)),
      );
    },
    retryAttachment(threadId, attachmentId) {
      const attachment = filesOf(threadId).find(({ id }) => id === attachmentId);
      if (attachment?.status === "failed") upload(threadId, attachment);
    },
    reconnect(threadId) {
      for (const file of filesOf(threadId))
        if (file.status === "failed" && file.failure.kind === "network") upload(threadId, file);
    },
    async finishUploads(threadId) {
      for (const attachment of filesOf(threadId)) {
        if (attachment.status === "failed") upload(threadId, attachment);
      }
      const going = () => filesOf(threadId).flatMap(({ id }) => uploads.get(id)?.done ?? []);
      // More files may be added meanwhile.
      while (going().length > 0) await Promise.all(going());
    },
    toMessage: (files) => Promise.all(files.map(toAttachment)),
    async prepare(threadId, files) {
      const { accepted, failure } = acceptFiles(files, attachmentRules(store.get().config), 0);
      if (failure) throw new Error(`Nitka: the project refuses the file "${failure.detail}" (${failure.kind}).`);
      const { signal } = context;
      return Promise.all(
        accepted.map((given) => {
          const { file, type } = typedFile(given);
          return transport.uploadAttachment
            ? transport.uploadAttachment(threadId, file, { signal, onProgress: () => undefined })
            : toAttachment({ id: newId(), type, file, status: "local" });
        }),
      );
    },
    releasePreviews(attachments) {
      for (const { preview } of attachments) if (preview !== undefined) previews.release(preview);
    },
    discard: (threadId) => filesOf(threadId).forEach(abandon),
  };
}

/** The file with the MIME type under which it was accepted: the browser may know none. */
function typedFile(file: File): Pick<DraftAttachment, "file" | "type"> {
  const contentType = contentTypeOf(file);
  const typed = file.type === contentType ? file : new File([file], file.name, { type: contentType });
  return { file: typed, type: attachmentTypeOf(contentType) };
}
