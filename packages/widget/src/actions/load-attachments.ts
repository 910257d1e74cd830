/** The code for files loads with the first file, because most visitors never attach one. */
import { changeDraft, failDraft } from "../store/composer.ts";
import { loadChunk } from "../load-chunk.ts";
import type { ActionContext } from "./action-context.ts";
import { failureOf } from "./action-context.ts";
import type { Attachments } from "./attachments.ts";

/** Like `createAttachments`, but its code loads when it is first needed. */
export function loadAttachments(context: ActionContext): Attachments {
  const { store } = context;
  /** By thread id: the number of additions of files that wait for the code. */
  const adding = new Map<string, number>();
  const loadCode = loadChunk(() => import("./attachments.ts"));
  let loading: Promise<Attachments> | undefined;
  let loaded: Attachments | undefined;

  const load = () => {
    loading = loadCode().then(({ createAttachments }) => (loaded ??= createAttachments(context)));
    return loading;
  };
  const count = (threadId: string, step: number) => adding.set(threadId, (adding.get(threadId) ?? 0) + step);

  return {
    isAdding: (threadId) => (adding.get(threadId) ?? 0) > 0,
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
    reconnect: (threadId) => loaded?.reconnect(threadId),
    async finishUploads(threadId) {
      await loading;
      await loaded?.finishUploads(threadId);
    },
    toMessage: async (files) => (files.length === 0 ? [] : (await load()).toMessage(files)),
    async prepare(threadId, files) {
      const attachments = await load();
      return attachments.prepare(threadId, files);
    },
    releasePreviews: (attachments) => loaded?.releasePreviews(attachments),
    discard: (threadId) => loaded?.discard(threadId),
  };
}
