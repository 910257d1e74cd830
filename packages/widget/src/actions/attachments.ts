/** The files of drafts: which are taken, and how they get to the backend. */
import type { Attachment } from "@nitka/protocol";
import { attachmentTypeOf } from "@nitka/protocol/attachment";
import { acceptFiles, contentTypeOf } from "../store/accepted-files.ts";
import * as composer from "../store/composer.ts";
import { attachmentRules, draftOf } from "../store/selectors.ts";
import type { DraftAttachment } from "../store/state.ts";
import type { ActionContext } from "./action-context.ts";
import { failureOf } from "./action-context.ts";
import type { Actions } from "./actions.ts";
import { sentAttachment } from "./sent-attachment.ts";

export interface Attachments extends Pick<Actions, "addFiles" | "removeAttachment" | "retryAttachment"> {
  /** Whether files of the thread's are being taken in, and are not in its draft yet. */
  isBusy(threadId: string): boolean;
  /** Resolves when no file of the draft is on its way any more. What had failed is tried once more. */
  ready(threadId: string): Promise<void>;
  /** What a draft's files are in the message. Rejects when one cannot be read. */
  sent(files: readonly DraftAttachment[]): Promise<readonly Attachment[]>;
  /** Files as a message carries them, uploaded where the backend takes uploads. Rejects with what is wrong with one. */
  prepare(threadId: string, files: readonly File[]): Promise<readonly Attachment[]>;
  /** Lets go of what the browser keeps for these files. */
  release(attachments: readonly DraftAttachment[]): void;
  /** Gives up the uploads of a thread's draft and lets go of its files. */
  drop(threadId: string): void;
}

export function createAttachments(context: ActionContext): Attachments {
  const { store, transport, newId, previews } = context;
  const uploads = new Map<string, { readonly controller: AbortController; readonly done: Promise<void> }>();

  const change = (
    threadId: string,
    attachmentId: string,
    changed: (attachment: DraftAttachment) => DraftAttachment,
    pace?: "frame",
  ) =>
    store.set(
      (state) =>
        composer.changeDraft(state, threadId, (draft) => composer.changeAttachment(draft, attachmentId, changed)),
      pace,
    );

  const upload = (threadId: string, { id, file }: DraftAttachment) => {
    const { uploadAttachment } = transport;
    if (!uploadAttachment) return;
    const controller = new AbortController();
    const run = async () => {
      change(threadId, id, (attachment) => ({ ...withoutFailure(attachment), status: "uploading", progress: 0 }));
      try {
        const uploaded = await uploadAttachment(threadId, file, {
          signal: AbortSignal.any([controller.signal, context.signal]),
          onProgress: (progress) => change(threadId, id, (attachment) => ({ ...attachment, progress }), "frame"),
        });
        change(threadId, id, (attachment) => ({ ...attachment, status: "ready", progress: 1, uploaded }));
      } catch (error) {
        if (controller.signal.aborted) return;
        const failure = failureOf(context, error);
        change(threadId, id, (attachment) => ({ ...attachment, status: "failed", failure }));
      } finally {
        uploads.delete(id);
      }
    };
    uploads.set(id, { controller, done: run() });
  };

  const giveUp = (attachment: DraftAttachment) => {
    uploads.get(attachment.id)?.controller.abort();
    if (attachment.preview !== undefined) previews.release(attachment.preview);
  };
  const attachmentsOf = (threadId: string) => draftOf(store.get(), threadId).attachments;

  return {
    isBusy: () => false,
    addFiles(threadId, files) {
      const rules = attachmentRules(store.get().config);
      const { accepted, failure } = acceptFiles(files, rules, attachmentsOf(threadId).length);
      const status = transport.uploadAttachment ? "waiting" : "ready";
      const added = accepted.map((given): DraftAttachment => {
        const { file, type } = draftFileOf(given);
        const attachment: DraftAttachment = { id: newId(), file, type, status, progress: 0 };
        return type === "image" ? Object.assign(attachment, { preview: previews.create(given) }) : attachment;
      });
      store.set((state) =>
        composer.changeDraft(state, threadId, (draft) =>
          composer.failDraft(composer.addAttachments(draft, added), failure),
        ),
      );
      for (const attachment of added) upload(threadId, attachment);
    },
    removeAttachment(threadId, attachmentId) {
      const attachment = attachmentsOf(threadId).find(({ id }) => id === attachmentId);
      if (!attachment) return;
      giveUp(attachment);
      store.set((state) =>
        composer.changeDraft(state, threadId, (draft) => composer.removeAttachment(draft, attachmentId)),
      );
    },
    retryAttachment(threadId, attachmentId) {
      const attachment = attachmentsOf(threadId).find(({ id }) => id === attachmentId);
      if (attachment?.status === "failed") upload(threadId, attachment);
    },
    async ready(threadId) {
      for (const attachment of attachmentsOf(threadId)) {
        if (attachment.status === "failed") upload(threadId, attachment);
      }
      await Promise.all(attachmentsOf(threadId).flatMap(({ id }) => uploads.get(id)?.done ?? []));
    },
    sent: (files) => Promise.all(files.map((file) => sentAttachment(context, file))),
    async prepare(threadId, files) {
      const { accepted, failure } = acceptFiles(files, attachmentRules(store.get().config), 0);
      if (failure) throw new Error(`Nitka: the project does not take the file "${failure.detail}" (${failure.kind}).`);
      const { signal } = context;
      return Promise.all(
        accepted.map((given) => {
          const { file, type } = draftFileOf(given);
          if (transport.uploadAttachment) {
            return transport.uploadAttachment(threadId, file, { signal, onProgress: () => undefined });
          }
          return sentAttachment(context, { id: newId(), type, file });
        }),
      );
    },
    release(attachments) {
      for (const { preview } of attachments) if (preview !== undefined) previews.release(preview);
    },
    drop: (threadId) => attachmentsOf(threadId).forEach(giveUp),
  };
}

/** The bytes travel under the type that they were let in by. */
function draftFileOf(file: File): Pick<DraftAttachment, "file" | "type"> {
  const contentType = contentTypeOf(file);
  const typed = file.type === contentType ? file : new File([file], file.name, { type: contentType });
  return { file: typed, type: attachmentTypeOf(contentType) };
}

function withoutFailure(attachment: DraftAttachment): DraftAttachment {
  const { failure: _, ...rest } = attachment;
  return rest;
}
