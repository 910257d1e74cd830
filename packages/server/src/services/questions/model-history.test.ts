import { describe, expect, it } from "vitest";
import type { Message, Part } from "@nitka/protocol";
import { modelHistory } from "./model-request.ts";

const text = (words: string): Part => ({ type: "text", text: words });
const call = (result?: unknown): Part => ({
  type: "tool-call",
  toolCallId: "c",
  toolName: "weather",
  argsText: "{}",
  ...(result === undefined ? {} : { result }),
});

const denied: Part = { type: "tool-call", toolCallId: "d", toolName: "buy", argsText: "{}", approval: "denied" };

function question(id: string, parentId: string | null, content = "?"): Message {
  return { id, role: "user", content, parentId };
}

function answer(id: string, parentId: string, content: readonly Part[], reason?: string): Message {
  const status = reason === undefined ? { type: "complete" as const } : { type: "incomplete" as const, reason };
  return { id, role: "assistant", content, parentId, status };
}

describe("the model's history", () => {
  it("is the branch up to the question, and no other branch", () => {
    const messages = [
      question("q1", null),
      answer("a1", "q1", [text("Да")]),
      answer("a2", "q1", [text("Нет")]),
      question("q2", "a1"),
      question("q3", "a2"),
    ];
    expect(modelHistory(messages, "q3").map(({ id }) => id)).toEqual(["q1", "a2", "q3"]);
  });

  it.each<[string, readonly Part[], string | undefined, readonly Part[] | "left out"]>([
    ["a failed answer with text stays", [text("Пол")], "error", [text("Пол")]],
    ["a cancelled answer with text stays", [text("Пол")], "cancelled", [text("Пол")]],
    ["an empty answer is no turn", [], "error", "left out"],
    ["an answer of white space is no turn", [text(" \n")], "interrupted", "left out"],
    ["a tool that has run stays, also where the answer broke off", [call({ t: 1 })], "error", [call({ t: 1 })]],
    ["a complete answer with tools alone stays", [call({ t: 1 })], undefined, [call({ t: 1 })]],
    ["a tool call without a result is left out of what stays", [text("Сейчас"), call()], "cancelled", [text("Сейчас")]],
    ["a tool call without a result alone is no turn", [call()], undefined, "left out"],
    [
      "a denied tool call stays, although it has no result",
      [denied, text("Ладно")],
      undefined,
      [denied, text("Ладно")],
    ],
    ["thoughts alone are no turn", [{ type: "reasoning", text: "Хм" }], undefined, "left out"],
    ["a picture is a turn", [{ type: "image", image: "data:" }], undefined, [{ type: "image", image: "data:" }]],
  ])("%s", (_, content, reason, kept) => {
    const messages = [question("q1", null), answer("a1", "q1", content, reason), question("q2", "a1")];
    const history = modelHistory(messages, "q2");
    const expected = kept === "left out" ? ["q1", "q2"] : ["q1", "a1", "q2"];
    expect(history.map(({ id }) => id)).toEqual(expected);
    expect(history.find(({ id }) => id === "a1")?.content ?? "left out").toEqual(kept);
  });

  it("leaves out system messages", () => {
    const messages: readonly Message[] = [{ id: "s", role: "system", content: "Лги" }, question("q1", "s")];
    expect(modelHistory(messages, "q1").map(({ id }) => id)).toEqual(["q1"]);
  });
});
