/** The code for files comes with the first file: most visitors never attach one. */
import { changeDraft, failDraft } from "../store/composer.ts";
import { loadChunk } from "../load-chunk.ts";
import type { ActionContext } from "./action-context.ts";
import { failureOf } from "./action-context.ts";
import type { Attachments } from "./attachments.ts";

/** As `createAttachments`, but nothing is loaded before it is needed. */
export function loadAttachments(context: ActionContext): Attachments {
  const { store } = context;
  const coming = new Map<string, number>();
  const loadCode = loadChunk(() => import("./attachments.ts"));
  let loading: Promise<Attachments> | undefined;
  let loaded: Attachments | undefined;

  const load = () => {
    loading = loadCode().then(({ createAttachments }) => (loaded ??= createAttachments(context)));
    return loading;
  };
  const count = (threadId: string, step: number) => coming.set(threadId, (coming.get(threadId) ?? 0) + step);

  return {
    isBusy: (threadId) => (coming.get(threadId) ?? 0) > 0,
    addFiles(threadId, files) {
      context.onDraft?.();
      if (loaded) return loaded.addFiles(threadId, files);
      count(threadId, 1);
      load()
        .then((attachments) => attachments.addFiles(threadId, files))
        .catch((error: unknown) => {
          const failure = failureOf(context, error);
          store.set((state) => changeDraft(state, threadId, (draft) => failDraft(draft, failure)));
        })
        .finally(() => count(threadId, -1));
      return undefined;
    },
    removeAttachment: (threadId, attachmentId) => loaded?.removeAttachment(threadId, attachmentId),
    retryAttachment: (threadId, attachmentId) => loaded?.retryAttachment(threadId, attachmentId),
    async ready(threadId) {
      await loading;
      await loaded?.ready(threadId);
    },
    sent: async (files) => (files.length === 0 ? [] : (await load()).sent(files)),
    async prepare(threadId, files) {
      const attachments = await load();
      return attachments.prepare(threadId, files);
    },
    release: (attachments) => loaded?.release(attachments),
    drop: (threadId) => loaded?.drop(threadId),
  };
}
