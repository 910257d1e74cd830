// @vitest-environment node
import type { Message } from "@nitka/protocol";
import { describe, expect, it } from "vitest";
import { emptyConversation } from "./initial-state.ts";
import {
  addRun,
  endRun,
  failMessages,
  beginMessages,
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

describe("history", () => {
  it("shows the branch that ends in its last message", () => {
    expect(loaded).toEqual({ ...emptyConversation, load: { status: "ready" }, messages: [q1, a1], headId: "a1" });
  });

  it("that comes again keeps the branch that is shown, down to its newest end", () => {
    const other = message("b1", "q1");
    const again = setMessages(loaded, [q1, a1, q2, other], "a1");
    expect(again.headId).toBe("q2");
  });

  it("that says nothing new leaves every message the object that it was", () => {
    const again = setMessages(loaded, [{ ...q1 }, { ...a1 }], "a1");
    expect(again.messages[0]).toBe(q1);
    expect(again.messages[1]).toBe(a1);
  });

  it("that comes again keeps a question that the server never heard, and its answer", () => {
    const asked = ask(loaded, q2, "a2");
    expect(setMessages(asked, [q1, a1], "a2").messages.map(({ id }) => id)).toEqual(["q1", "a1", "q2", "a2"]);
  });

  it("that comes again drops a stand-in whose question the server knows", () => {
    const asked = removeFromOutbox(ask(loaded, q2, "a2"), "q2");
    const { run: _, ...ended } = asked;
    expect(setMessages(ended, [q1, a1, q2], "a2").messages.map(({ id }) => id)).toEqual(["q1", "a1", "q2"]);
  });

  it("that fails leaves what is cached", () => {
    const failure = { kind: "network", detail: "" } as const;
    expect(failMessages(beginMessages(loaded), failure)).toEqual(loaded);
    expect(failMessages(beginMessages(emptyConversation), failure)).toMatchObject({
      load: { status: "failed", failure },
    });
  });
});

describe("renaming a message", () => {
  it("keeps its place, its key, its children and what points to it", () => {
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

  it("is refused where the name is that of an answer to another question, and both are kept", () => {
    const asked = ask(loaded, q2, "tmp");
    const written = writeAnswer(asked, message("a1", "q2", { content: "Второй" }), undefined);
    expect(written.messages).toEqual([q1, a1, q2, message("tmp", "q2", { content: "Второй" })]);
    expect(written.headId).toBe("tmp");
  });

  it("takes the name's other bearer for the same message", () => {
    const asked = ask(loaded, q2, "tmp");
    const twice: Conversation = { ...asked, messages: [...asked.messages, message("a2", "q2")] };
    expect(renameMessage(twice, "tmp", "a2").messages.map(({ id }) => id)).toEqual(["q1", "a1", "q2", "a2"]);
  });
});

describe("a run", () => {
  it("ends with its answer, and with what went wrong", () => {
    const failure = { kind: "lost", detail: "…" } as const;
    const ended = endRun(ask(loaded, q2, "a2"), message("a2", "q2", { content: "Да" }), failure);
    expect(ended.run).toBeUndefined();
    expect(ended.messages.at(-1)?.content).toBe("Да");
    expect(ended.failures).toEqual({ a2: failure });
    expect(ask(ended, q2, "a2").failures).toEqual({});
  });

  it("that is taken back leaves what was there before it", () => {
    expect(withdrawRun(ask(loaded, q2, "a2"), "a1")).toEqual(loaded);
  });
});
