// @vitest-environment node
import type { Message } from "@nitka/protocol";
import { fullAttachmentRules } from "@nitka/protocol/attachment-rules";
import { describe, expect, it } from "vitest";
import { emptyDraft, initialState } from "./initial-state.ts";
import {
  attachmentRules,
  canEdit,
  canRegenerate,
  canRetry,
  canSend,
  groupThreads,
  hasNotice,
  startOfDay,
  shownTitle,
} from "./selectors.ts";
import { addRun, changeConversation } from "./conversation.ts";
import type { ChatState, ComposerDraft } from "./state.ts";
import { setCall } from "./tool-calls.ts";

const state = initialState({ config: {}, sidebarOpen: true, compact: false, panelOpen: true });
const question: Message = { id: "q", role: "user", content: "Привет", parentId: null };
const answer: Message = { id: "a", role: "assistant", content: "Да", parentId: "q" };
const running = changeConversation(state, "t", (conversation) =>
  addRun(conversation, { question, answer, phase: "streaming" }),
);
const written = (
  draft: Partial<Extract<ComposerDraft, { readonly status: "open" | "waiting" }>>,
  before: ChatState = state,
): ChatState => ({
  ...before,
  drafts: { t: { ...emptyDraft, ...draft } },
});

describe("possible actions", () => {
  it("send needs text other than white space, in an idle thread", () => {
    const attachments = [{ id: "f", file: new File([], "f"), type: "file", status: "local" }] as const;
    expect(canSend(written({ text: " да " }), "t")).toBe(true);
    expect(canSend(written({ text: "да" }), undefined)).toBe(false);
    expect(canSend(written({ text: " \n\t" }), "t")).toBe(false);
    expect(canSend(written({ attachments }), "t")).toBe(false);
    expect(canSend(written({ text: "да" }, running), "t")).toBe(false);
    expect(canSend(written({ text: "да", status: "waiting" }), "t")).toBe(false);
  });

  it("edit is for questions and regenerate for answers, in an idle thread", () => {
    expect([canEdit(state, "t", question), canEdit(state, "t", answer), canEdit(running, "t", question)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([canRegenerate(state, "t", answer), canRegenerate(state, "t", question)]).toEqual([true, false]);
    expect(canRegenerate(running, "t", answer)).toBe(false);
  });

  it("retry is for an answer that failed, not for one that the visitor stopped", () => {
    const stopped = (reason: string): Message => ({ ...answer, status: { type: "incomplete", reason } });
    expect(["error", "interrupted", "cancelled"].map((reason) => canRetry(state, "t", stopped(reason)))).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe("the list's groups", () => {
  const now = new Date(2026, 10, 21, 0, 30);
  const thread = (threadId: string, date: Date) => ({ threadId, updatedAt: date.toISOString() });

  it("divide at the visitor's local midnight", () => {
    const late = thread("late", new Date(2026, 10, 20, 23, 59, 59, 999));
    const midnight = thread("midnight", new Date(2026, 10, 21));
    const future = thread("future", new Date(2026, 10, 22));
    expect(groupThreads([future, midnight, late], startOfDay(now))).toEqual({
      today: [future, midnight],
      earlier: [late],
    });
  });
});

describe("a title", () => {
  it("is what has been typed of it, else the whole title, else empty", () => {
    const items = [{ threadId: "t", title: "Погода", updatedAt: "" }];
    const titled: ChatState = { ...state, threads: { ...state.threads, items } };
    expect(shownTitle(titled, "t")).toBe("Погода");
    expect(shownTitle({ ...titled, threads: { ...titled.threads, typedTitles: { t: "" } } }, "t")).toBe("");
    expect(shownTitle(state, "t")).toBe("");
  });
});

describe("the mark on the launcher's button", () => {
  it("is for a notice, also a dismissed one, and for a call that asks, while the panel is closed", () => {
    const asking = changeConversation(running, "t", (conversation) =>
      setCall(conversation, "c", { type: "asking", title: "Отменить заказ" }),
    );
    const closed = { panelOpen: false };
    expect([state, { ...state, ...closed }, { ...state, ...closed, notice: {} }].map(hasNotice)).toEqual([
      false,
      false,
      true,
    ]);
    expect([asking, { ...asking, ...closed }].map(hasNotice)).toEqual([false, true]);
  });
});

describe("the rules for files", () => {
  it("are those of the config, with defaults for the rest", () => {
    expect(attachmentRules({})).toEqual(fullAttachmentRules());
    expect(attachmentRules({ attachments: { maxCount: 1 } })).toEqual({ ...fullAttachmentRules(), maxCount: 1 });
    expect(attachmentRules({ attachments: false })).toBeUndefined();
  });
});
