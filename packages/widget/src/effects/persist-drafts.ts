/**
 * Keeps drafts when the page reloads. Each thread has an entry in the session storage: its draft, and the questions that were
 * sent but not confirmed by the backend. On the next page the draft is restored, and each such question becomes part of the
 * draft again, unless the thread's history shows that the backend has it.
 */
import type { Attachment, Message } from "@nitka/protocol";
import { isDataUrl } from "@nitka/protocol/data-url";
import { textOf } from "@nitka/protocol/message";
import type { SafeStorage } from "../browser/storage.ts";
import { changeAttachment, changeDraft, failDraft, restoreDraft } from "../store/composer.ts";
import type { Store } from "../store/create-store.ts";
import { conversationOf, draftOf } from "../store/selectors.ts";
import type { ChatState, ComposerDraft, Conversation, DraftAttachment } from "../store/state.ts";

export interface PersistDraftsOptions {
  readonly store: Store<ChatState>;
  readonly storage: SafeStorage;
  /** The prefix of every entry's key. It contains the project and the visitor, so that no visitor gets another one's draft. */
  readonly prefix: string;
  /** Returns an address that shows the picture of an uploaded image. */
  readonly pictureOf: (attachment: Attachment) => Promise<string>;
}

interface KeptDraft {
  readonly text: string;
  /** Files that have been uploaded. */
  readonly attachments: readonly Attachment[];
  /** The names of other files, whose content is lost. The restored draft lists them. */
  readonly lost: readonly string[];
}

/** A question that the backend has not confirmed. */
interface KeptQuestion extends KeptDraft {
  readonly id: string;
}

/** The JSON of one entry of the session storage. */
interface Entry extends KeptDraft {
  readonly asked?: readonly KeptQuestion[];
}

/**
 * Restores each thread's draft when the thread is first opened, and stores every draft when it changes. Returns a function that
 * stops it.
 */
export function persistDrafts({ store, storage, prefix, pictureOf }: PersistDraftsOptions): () => void {
  /** The stored entries by thread id; `undefined` is the draft that has no thread yet. */
  const entries = new Map<string | undefined, string>();
  /** The threads whose entry has been read. */
  const restored = new Set<string | undefined>();
  /** Questions of an earlier page by thread id, until the history shows which of them the backend has. */
  const unconfirmed = new Map<string | undefined, readonly KeptQuestion[]>();
  const storageKey = (threadId: string | undefined) => prefix + (threadId ?? "");

  /** Moves the entry of one thread to another: the draft without a thread moves to the first that opens. */
  const restore = (from: string | undefined, threadId: string | undefined) => {
    if (restored.has(from)) return;
    restored.add(from);
    const entry = storage.read(storageKey(from));
    if (entry === undefined) return;
    entries.set(from, entry);
    const kept = readEntry(entry);
    if (!kept) return;
    if (kept.asked) unconfirmed.set(threadId, kept.asked);
    if (!isEmpty(kept)) prepend(threadId, kept);
  };

  const restoreQuestions = () => {
    for (const [threadId, questions] of unconfirmed) {
      const { load, messages } = conversationOf(store.get(), threadId);
      if (load.status !== "ready") continue;
      unconfirmed.delete(threadId);
      const confirmed = new Set(messages.map(({ id }) => id));
      // Each question is put before the draft, so the oldest one is last.
      for (const question of questions.toReversed()) if (!confirmed.has(question.id)) prepend(threadId, question);
    }
  };

  /** Puts a stored draft before the thread's current one, because the visitor may have written before this code had loaded. */
  const prepend = (threadId: string | undefined, { text, attachments, lost }: KeptDraft) => {
    const files = attachments.map(draftAttachmentOf);
    store.set((state) =>
      changeDraft(state, threadId, (draft) => {
        const whole = restoreDraft(draft, { text, attachments: files });
        return lost.length === 0 ? whole : failDraft(whole, { kind: "attachment", detail: lost.join(", ") });
      }),
    );
    for (const { id, type, attachment } of files) {
      if (type !== "image") continue;
      const show = (preview: string) =>
        store.set((state) =>
          changeDraft(state, threadId, (draft) => changeAttachment(draft, id, (file) => ({ ...file, preview }))),
        );
      // If a file's picture cannot be loaded, the file is shown by its name.
      pictureOf(attachment).then(show, () => undefined);
    }
  };

  /** The values from which the entries were last stored. */
  let stored: readonly unknown[] = [];
  /** Most changes of the state come from an answer that grows. */
  const isStored = () => {
    const { drafts, draftWithoutThread, conversations } = store.get();
    const asked = Object.values(conversations).flatMap(({ outbox, run }) =>
      outbox.length === 0 ? [] : [outbox, run?.questionId, run?.phase],
    );
    const now = [drafts, draftWithoutThread, unconfirmed.size, ...asked];
    const isSame = now.length === stored.length && now.every((part, index) => part === stored[index]);
    stored = now;
    return isSame;
  };

  const storeAll = () => {
    if (isStored()) return;
    const { drafts, draftWithoutThread, conversations } = store.get();
    const withOutbox = Object.keys(conversations).filter((threadId) => conversations[threadId]?.outbox.length);
    const changed = [...Object.keys(drafts), ...withOutbox, ...(draftWithoutThread ? [undefined] : [])];
    for (const threadId of new Set([...entries.keys(), ...changed])) {
      // An entry that was not restored yet must not be overwritten.
      if (changed.includes(threadId)) restore(threadId, threadId);
      const state = store.get();
      const entry = entryOf(draftOf(state, threadId), [
        ...(unconfirmed.get(threadId) ?? []),
        ...questionsOf(conversationOf(state, threadId)),
      ]);
      if (entry === entries.get(threadId)) continue;
      if (entry === undefined) {
        entries.delete(threadId);
        storage.remove(storageKey(threadId));
      } else {
        entries.set(threadId, entry);
        storage.write(storageKey(threadId), entry);
      }
    }
  };

  const onChange = () => {
    const { activeId, load } = store.get().threads;
    if (activeId !== undefined) {
      restore(undefined, activeId);
      restore(activeId, activeId);
    } else if (load.status === "ready") restore(undefined, undefined);
    restoreQuestions();
    storeAll();
  };
  onChange();
  return store.subscribe(onChange);
}

/**
 * The questions to store. A question whose first request is in flight is not among them: the request survives the page and will
 * most likely arrive.
 */
function questionsOf({ messages, outbox, run }: Conversation): readonly KeptQuestion[] {
  return outbox.flatMap((id) => {
    const isBeingSent = run?.questionId === id && run.phase === "sending";
    const question = isBeingSent ? undefined : messages.find((message) => message.id === id);
    return question ? [keptQuestionOf(question)] : [];
  });
}

function keptQuestionOf(question: Message): KeptQuestion {
  const { id, attachments = [] } = question;
  // A data URL contains the bytes of a file, which would fill the session storage.
  const isUploaded = ({ url }: Attachment) => !isDataUrl(url);
  return {
    id,
    text: textOf(question),
    attachments: attachments.filter(isUploaded),
    lost: attachments.flatMap((file) => (isUploaded(file) ? [] : file.name)),
  };
}

function entryOf({ text, attachments }: ComposerDraft, asked: readonly KeptQuestion[]): string | undefined {
  const kept: Entry = {
    text,
    attachments: attachments.flatMap((draft) => (draft.status === "uploaded" ? draft.attachment : [])),
    lost: attachments.flatMap(({ status, file }) => (status === "uploaded" ? [] : file.name)),
    ...(asked.length > 0 && { asked }),
  };
  return isEmpty(kept) && asked.length === 0 ? undefined : JSON.stringify(kept);
}

function isEmpty({ text, attachments, lost }: KeptDraft): boolean {
  return text === "" && attachments.length === 0 && lost.length === 0;
}

/**
 * Reads an entry. The page's own scripts can also write to the session storage, so anything with the wrong shape is left out.
 */
function readEntry(entry: string): Entry | undefined {
  try {
    const value: unknown = JSON.parse(entry);
    const draft = readDraft(value);
    const { asked } = Object(value) as { readonly asked?: unknown };
    return draft && { ...draft, ...(Array.isArray(asked) && { asked: asked.flatMap(readQuestion) }) };
  } catch {
    return undefined;
  }
}

function readQuestion(value: unknown): readonly KeptQuestion[] {
  const { id } = Object(value) as { readonly id?: unknown };
  const draft = readDraft(value);
  return draft && typeof id === "string" ? [{ id, ...draft }] : [];
}

function readDraft(value: unknown): KeptDraft | undefined {
  const { text, attachments, lost } = Object(value) as Partial<Record<keyof KeptDraft, unknown>>;
  if (typeof text !== "string" || !Array.isArray(attachments) || !Array.isArray(lost)) return undefined;
  return { text, attachments: attachments.filter(isAttachment), lost: lost.map(String) };
}

function isAttachment(value: unknown): value is Attachment {
  const fields = Object(value) as Readonly<Record<string, unknown>>;
  return ["id", "type", "name", "contentType", "url"].every((name) => typeof fields[name] === "string");
}

function draftAttachmentOf(attachment: Attachment) {
  const { id, type, name, contentType } = attachment;
  const file = new File([], name, { type: contentType });
  return { id, file, type, status: "uploaded", attachment } satisfies DraftAttachment;
}
