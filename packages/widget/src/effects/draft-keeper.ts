/** Drafts over a reload: what is written stands in the session's storage, one entry a thread, until it is sent. */
import type { Attachment } from "@nitka/protocol";
import { attachmentTypeOf } from "@nitka/protocol/attachment";
import type { Storage } from "../browser/storage.ts";
import { addAttachments, changeAttachment, changeDraft, failDraft, restoreDraft } from "../store/composer.ts";
import type { Store } from "../store/create-store.ts";
import { emptyDraft } from "../store/initial-state.ts";
import type { ChatState, ComposerDraft, DraftAttachment } from "../store/state.ts";

export interface DraftKeeperOptions {
  readonly store: Store<ChatState>;
  readonly storage: Storage;
  /** What every entry's key begins with: it names the project and the visitor, who get no draft of any other. */
  readonly prefix: string;
  /** Where the picture of an uploaded image is. */
  readonly pictureOf: (attachment: Attachment) => Promise<string>;
}

/** What an entry holds. A file that has not been uploaded has nothing to come back from: its name tells of it. */
interface KeptDraft {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly lost: readonly string[];
}

/** Whose draft it is that is written while no thread is open. */
const NO_THREAD = "";

/** Gives each thread its kept draft when it is first opened, and keeps all drafts as they change. */
export function startDraftKeeper({ store, storage, prefix, pictureOf }: DraftKeeperOptions): () => void {
  /** The entries as they are, by thread. */
  const entries = new Map<string, string>();
  const opened = new Set<string>();

  const take = (place: string, threadId: string) => {
    if (opened.has(place)) return;
    opened.add(place);
    const entry = storage.read(prefix + place);
    if (entry === undefined) return;
    entries.set(place, entry);
    const kept = readEntry(entry);
    if (kept) give(threadId, kept);
  };

  const give = (threadId: string, { text, attachments, lost }: KeptDraft) => {
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
    const { drafts } = store.get();
    for (const threadId of new Set([...entries.keys(), ...Object.keys(drafts)])) {
      if (threadId in drafts) take(threadId, threadId);
      const entry = entryOf(store.get().drafts[threadId] ?? emptyDraft);
      if (entry === entries.get(threadId)) continue;
      if (entry === undefined) {
        entries.delete(threadId);
        storage.remove(prefix + threadId);
      } else {
        entries.set(threadId, entry);
        storage.write(prefix + threadId, entry);
      }
    }
  };

  const follow = () => {
    const { activeId, status } = store.get().threads;
    if (activeId !== undefined) {
      // What was written before there was a thread belongs to the first that is open.
      take(NO_THREAD, activeId);
      take(activeId, activeId);
    } else if (status === "ready") take(NO_THREAD, NO_THREAD);
    keep();
  };
  follow();
  return store.subscribe(follow);
}

function entryOf({ text, attachments }: ComposerDraft): string | undefined {
  if (text === "" && attachments.length === 0) return undefined;
  const kept: KeptDraft = {
    text,
    attachments: attachments.flatMap(({ uploaded }) => uploaded ?? []),
    lost: attachments.flatMap(({ uploaded, file }) => (uploaded ? [] : file.name)),
  };
  return JSON.stringify(kept);
}

/** The page's own scripts may write there too: what makes no sense is left out. */
function readEntry(entry: string): KeptDraft | undefined {
  try {
    const { text, attachments, lost } = JSON.parse(entry) as Partial<Record<keyof KeptDraft, unknown>>;
    if (typeof text !== "string" || !Array.isArray(attachments) || !Array.isArray(lost)) return undefined;
    return { text, attachments: attachments.filter(isAttachment), lost: lost.map(String) };
  } catch {
    return undefined;
  }
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
