/**
 * Drafts over a reload: what is written stands in the session's storage, one entry a thread, until the backend has heard
 * it. A question that was asked in vain, without a network, is a draft again on the next page.
 */
import type { Attachment, Message } from "@nitka/protocol";
import { attachmentTypeOf } from "@nitka/protocol/attachment";
import { textOf } from "@nitka/protocol/message";
import type { Storage } from "../browser/storage.ts";
import { addAttachments, changeAttachment, changeDraft, failDraft, restoreDraft } from "../store/composer.ts";
import type { Store } from "../store/create-store.ts";
import { emptyDraft } from "../store/initial-state.ts";
import { conversationOf, draftOf } from "../store/selectors.ts";
import type { ChatState, ComposerDraft, Conversation, DraftAttachment } from "../store/state.ts";

export interface DraftKeeperOptions {
  readonly store: Store<ChatState>;
  readonly storage: Storage;
  /** What every entry's key begins with: it names the project and the visitor, who get no draft of any other. */
  readonly prefix: string;
  /** Where the picture of an uploaded image is. */
  readonly pictureOf: (attachment: Attachment) => Promise<string>;
}

/** What is kept of a draft. A file that has not been uploaded has nothing to come back from: its name tells of it. */
interface KeptDraft {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly lost: readonly string[];
}

/** A question that no backend has answered for, under the id that it was asked by. */
interface KeptQuestion extends KeptDraft {
  readonly id: string;
}

/** What an entry holds: the draft, and before it the questions. */
interface Entry extends KeptDraft {
  readonly asked?: readonly KeptQuestion[];
}

/** Gives each thread its kept draft when it is first opened, and keeps all drafts as they change. */
export function startDraftKeeper({ store, storage, prefix, pictureOf }: DraftKeeperOptions): () => void {
  /** The stored entries by thread; `undefined` stands for the draft that has no thread yet. */
  const entries = new Map<string | undefined, string>();
  const opened = new Set<string | undefined>();
  /** Questions of an earlier page, by thread, until the history says which of them the backend has heard. */
  const asked = new Map<string | undefined, readonly KeptQuestion[]>();
  const keyOf = (threadId: string | undefined) => prefix + (threadId ?? "");

  const take = (from: string | undefined, threadId: string | undefined) => {
    if (opened.has(from)) return;
    opened.add(from);
    const entry = storage.read(keyOf(from));
    if (entry === undefined) return;
    entries.set(from, entry);
    const kept = readEntry(entry);
    if (!kept) return;
    if (kept.asked) asked.set(threadId, kept.asked);
    if (!isEmpty(kept)) give(threadId, kept);
  };

  const giveBackQuestions = () => {
    for (const [threadId, questions] of asked) {
      const { history, messages } = conversationOf(store.get(), threadId);
      if (history !== "ready") continue;
      asked.delete(threadId);
      const heard = new Set(messages.map(({ id }) => id));
      // Each stands before what is there: the first that was asked comes last.
      for (const question of questions.toReversed()) if (!heard.has(question.id)) give(threadId, question);
    }
  };

  const give = (threadId: string | undefined, { text, attachments, lost }: KeptDraft) => {
    const files = attachments.map(draftAttachmentOf);
    store.set((state) =>
      changeDraft(state, threadId, (draft) => {
        // Something may have been written before this code had come.
        const whole = restoreDraft(draft, addAttachments({ ...emptyDraft, text }, files));
        return lost.length === 0 ? whole : failDraft(whole, { kind: "attachment", detail: lost.join(", ") });
      }),
    );
    for (const { id, type, uploaded } of files) {
      if (type !== "image" || !uploaded) continue;
      const show = (preview: string) =>
        store.set((state) =>
          changeDraft(state, threadId, (draft) => changeAttachment(draft, id, (file) => ({ ...file, preview }))),
        );
      // Without its picture it has its name.
      pictureOf(uploaded).then(show, () => undefined);
    }
  };

  const keep = () => {
    const { drafts, draftWithoutThread, conversations } = store.get();
    const unheard = Object.keys(conversations).filter((threadId) => conversations[threadId]?.unsent.length);
    const changed = [...Object.keys(drafts), ...unheard, ...(draftWithoutThread ? [undefined] : [])];
    for (const threadId of new Set([...entries.keys(), ...changed])) {
      if (changed.includes(threadId)) take(threadId, threadId);
      const state = store.get();
      const entry = entryOf(draftOf(state, threadId), [
        ...(asked.get(threadId) ?? []),
        ...questionsOf(conversationOf(state, threadId)),
      ]);
      if (entry === entries.get(threadId)) continue;
      if (entry === undefined) {
        entries.delete(threadId);
        storage.remove(keyOf(threadId));
      } else {
        entries.set(threadId, entry);
        storage.write(keyOf(threadId), entry);
      }
    }
  };

  const follow = () => {
    const { activeId, load } = store.get().threads;
    if (activeId !== undefined) {
      // What was written before there was a thread belongs to the first that is open.
      take(undefined, activeId);
      take(activeId, activeId);
    } else if (load.status === "ready") take(undefined, undefined);
    giveBackQuestions();
    keep();
  };
  follow();
  return store.subscribe(follow);
}

/** Those that are not on their way in this moment: a page that goes does not call a request back. */
function questionsOf({ messages, unsent, run }: Conversation): readonly KeptQuestion[] {
  return unsent.flatMap((id) => {
    const isOnItsWay = run?.questionId === id && run.phase === "sending";
    const question = isOnItsWay ? undefined : messages.find((message) => message.id === id);
    return question ? [keptQuestionOf(question)] : [];
  });
}

function keptQuestionOf(question: Message): KeptQuestion {
  const { id, attachments = [] } = question;
  // The bytes of a file would fill the session's storage.
  const isUploaded = ({ url }: Attachment) => !url.startsWith("data:");
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
    attachments: attachments.flatMap(({ uploaded }) => uploaded ?? []),
    lost: attachments.flatMap(({ uploaded, file }) => (uploaded ? [] : file.name)),
    ...(asked.length > 0 && { asked }),
  };
  return isEmpty(kept) && asked.length === 0 ? undefined : JSON.stringify(kept);
}

function isEmpty({ text, attachments, lost }: KeptDraft): boolean {
  return text === "" && attachments.length === 0 && lost.length === 0;
}

/** The page's own scripts may write there too: what makes no sense is left out. */
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
  return ["id", "name", "contentType", "url"].every((name) => typeof fields[name] === "string");
}

function draftAttachmentOf(uploaded: Attachment): DraftAttachment {
  const { id, name, contentType } = uploaded;
  const file = new File([], name, { type: contentType });
  return { id, file, type: attachmentTypeOf(contentType), status: "ready", progress: 1, uploaded };
}

/** Whom a host's token names: the subject of a JWT. Nobody checks it here: it keeps the drafts of one browser apart. */
export function visitorIn(token: string): string | undefined {
  try {
    const claims = atob((token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/"));
    const { sub } = JSON.parse(claims) as { readonly sub?: unknown };
    return typeof sub === "string" ? sub : undefined;
  } catch {
    return undefined;
  }
}
