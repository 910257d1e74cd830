// @vitest-environment node
import type { Message } from "@nitka/protocol";
import { describe, expect, it } from "vitest";
import { emptyConversation } from "./initial-state.ts";
import {
  addRun,
  endRun,
  failLoadingMessages,
  startLoadingMessages,
  renameMessage,
  withdrawRun,
  setMessages,
  addToOutbox,
  removeFromOutbox,
  writeAnswer,
} from "./conversation.ts";
import type { Conversation } from "./state.ts";

const message = (id: string, parentId: string | null, more: Partial<Message> = {}): Message => ({
  id,
  role: id.startsWith("q") ? "user" : "assistant",
  content: id,
  parentId,
  ...more,
});
const q1 = message("q1", null);
const a1 = message("a1", "q1");
const q2 = message("q2", "a1");
const loaded = setMessages(emptyConversation, [q1, a1]);
const ask = (conversation: Conversation, question: Message, answerId: string) =>
  addToOutbox(
    addRun(conversation, { question, answer: message(answerId, question.id), phase: "sending" }),
    question.id,
  );

describe("loaded messages", () => {
  it("show the branch that ends in the last message", () => {
    expect(loaded).toEqual({ ...emptyConversation, load: { status: "ready" }, messages: [q1, a1], headId: "a1" });
  });

  it("keep the shown branch when they are loaded again, down to its newest leaf", () => {
    const other = message("b1", "q1");
    const again = setMessages(loaded, [q1, a1, q2, other], "a1");
    expect(again.headId).toBe("q2");
  });

  it("keep every message object that has not changed", () => {
    const again = setMessages(loaded, [{ ...q1 }, { ...a1 }], "a1");
    expect(again.messages[0]).toBe(q1);
    expect(again.messages[1]).toBe(a1);
  });

  it("keep a question of the outbox and its answer", () => {
    const asked = ask(loaded, q2, "a2");
    expect(setMessages(asked, [q1, a1], "a2").messages.map(({ id }) => id)).toEqual(["q1", "a1", "q2", "a2"]);
  });

  it("replace a local answer whose question the server has", () => {
    const asked = removeFromOutbox(ask(loaded, q2, "a2"), "q2");
    const { run: _, ...ended } = asked;
    expect(setMessages(ended, [q1, a1, q2], "a2").messages.map(({ id }) => id)).toEqual(["q1", "a1", "q2"]);
  });

  it("stay when a second load fails", () => {
    const failure = { kind: "network", detail: "" } as const;
    expect(failLoadingMessages(startLoadingMessages(loaded), failure)).toEqual(loaded);
    expect(failLoadingMessages(startLoadingMessages(emptyConversation), failure)).toMatchObject({
      load: { status: "failed", failure },
    });
  });
});

describe("renaming a message", () => {
  it("keeps its place, its key and its children, and updates the head and the run", () => {
    const asked = ask(loaded, q2, "tmp");
    const renamed = renameMessage(asked, "tmp", "a2");
    expect(renamed).toEqual({
      ...asked,
      messages: [q1, a1, q2, { ...message("tmp", "q2"), id: "a2" }],
      headId: "a2",
      keys: { a2: "tmp" },
      run: { questionId: "q2", answerId: "a2", phase: "sending" },
    });
    expect(renameMessage(renamed, "a2", "a3").keys).toEqual({ a3: "tmp" });
  });

  it("is refused if an answer to another question has the id, and both are kept", () => {
    const asked = ask(loaded, q2, "tmp");
    const written = writeAnswer(asked, message("a1", "q2", { content: "Второй" }), undefined);
    expect(written.messages).toEqual([q1, a1, q2, message("tmp", "q2", { content: "Второй" })]);
    expect(written.headId).toBe("tmp");
  });

  it("drops the local answer if the same question already has an answer with that id", () => {
    const asked = ask(loaded, q2, "tmp");
    const twice: Conversation = { ...asked, messages: [...asked.messages, message("a2", "q2")] };
    expect(renameMessage(twice, "tmp", "a2").messages.map(({ id }) => id)).toEqual(["q1", "a1", "q2", "a2"]);
  });
});

describe("a run", () => {
  it("ends with its answer and its failure", () => {
    const failure = { kind: "lost", detail: "…" } as const;
    const ended = endRun(ask(loaded, q2, "a2"), message("a2", "q2", { content: "Да" }), failure);
    expect(ended.run).toBeUndefined();
    expect(ended.messages.at(-1)?.content).toBe("Да");
    expect(ended.failures).toEqual({ a2: failure });
    expect(ask(ended, q2, "a2").failures).toEqual({});
  });

  it("keeps its failure beside its own answer if the server gives it the id of another answer", () => {
    const failure = { kind: "lost", detail: "…" } as const;
    const ended = endRun(ask(loaded, q2, "a2"), message("a1", "q2", { content: "Да" }), failure);
    expect(ended.messages).toContainEqual(message("a2", "q2", { content: "Да" }));
    expect(ended.failures).toEqual({ a2: failure });
  });

  it("leaves the conversation as it was when it is withdrawn", () => {
    expect(withdrawRun(ask(loaded, q2, "a2"), "a1")).toEqual(loaded);
  });
});
