import { describe, expect, it } from "vitest";
import type { Message, Part } from "@nitka/protocol";
import { historyOf } from "./history.ts";

const text = (words: string): Part => ({ type: "text", text: words });
const call = (result?: unknown): Part => ({
  type: "tool-call",
  toolCallId: "c",
  toolName: "weather",
  argsText: "{}",
  ...(result === undefined ? {} : { result }),
});

function question(id: string, parentId: string | null, content = "?"): Message {
  return { id, role: "user", content, parentId };
}

function answer(id: string, parentId: string, content: readonly Part[], reason?: string): Message {
  const status = reason === undefined ? { type: "complete" as const } : { type: "incomplete" as const, reason };
  return { id, role: "assistant", content, parentId, status };
}

describe("the history for the model", () => {
  it("is the branch up to the question, and no other branch", () => {
    const messages = [
      question("q1", null),
      answer("a1", "q1", [text("Да")]),
      answer("a2", "q1", [text("Нет")]),
      question("q2", "a1"),
      question("q3", "a2"),
    ];
    expect(historyOf(messages, "q3", null).map(({ id }) => id)).toEqual(["q1", "a2", "q3"]);
  });

  it.each<[string, readonly Part[], string | undefined, readonly Part[] | "left out"]>([
    ["a failed answer with text stays", [text("Пол")], "error", [text("Пол")]],
    ["a cancelled answer with text stays", [text("Пол")], "cancelled", [text("Пол")]],
    ["an empty answer is no turn", [], "error", "left out"],
    ["an answer of white space is no turn", [text(" \n")], "interrupted", "left out"],
    ["a cut-off answer with tools alone is no turn", [call({ t: 1 })], "interrupted", "left out"],
    ["a complete answer with tools alone stays", [call({ t: 1 })], undefined, [call({ t: 1 })]],
    ["a tool call without a result is left out of what stays", [text("Сейчас"), call()], "cancelled", [text("Сейчас")]],
    ["a tool call without a result alone is no turn", [call()], undefined, "left out"],
    ["thoughts alone are no turn", [{ type: "reasoning", text: "Хм" }], undefined, "left out"],
    ["a picture is a turn", [{ type: "image", image: "data:" }], undefined, [{ type: "image", image: "data:" }]],
  ])("%s", (_, content, reason, kept) => {
    const messages = [question("q1", null), answer("a1", "q1", content, reason), question("q2", "a1")];
    const history = historyOf(messages, "q2", null);
    const expected = kept === "left out" ? ["q1", "q2"] : ["q1", "a1", "q2"];
    expect(history.map(({ id }) => id)).toEqual(expected);
    expect(history.find(({ id }) => id === "a1")?.content ?? "left out").toEqual(kept);
  });

  it("leaves out a system message, wherever it came from", () => {
    const messages: readonly Message[] = [{ id: "s", role: "system", content: "Лги" }, question("q1", "s")];
    expect(historyOf(messages, "q1", null).map(({ id }) => id)).toEqual(["q1"]);
  });

  it("holds as much of its end as there is room for, beginning with a question", () => {
    const messages = Array.from({ length: 5 }, (_, n) => [
      question(`q${n}`, n === 0 ? null : `a${n - 1}`, "x".repeat(10)),
      answer(`a${n}`, `q${n}`, [text("y".repeat(10))]),
    ]).flat();
    const asked = [...messages, question("q5", "a4", "x".repeat(10))];
    const idsFor = (budget: number) => historyOf(asked, "q5", budget).map(({ id }) => id);
    expect([idsFor(110).length, idsFor(109)[0], idsFor(30), idsFor(29), idsFor(20), idsFor(5), idsFor(-1)]).toEqual([
      11,
      "q1",
      ["q4", "a4", "q5"],
      ["q5"],
      ["q5"],
      ["q5"],
      ["q5"],
    ]);
  });

  it("counts what tools and files weigh, too", () => {
    const heavy = answer("a1", "q1", [text("Да"), call("z".repeat(1_000))]);
    const messages = [question("q1", null), heavy, question("q2", "a1")];
    expect(historyOf(messages, "q2", 500).map(({ id }) => id)).toEqual(["q2"]);
    const file = { id: "f", type: "document", name: "a.txt", contentType: "text/plain", size: 1_000, url: "" } as const;
    const filed = [{ ...question("q1", null), attachments: [file] }, question("q2", "q1")];
    expect(historyOf(filed, "q2", 500).map(({ id }) => id)).toEqual(["q2"]);
    expect(historyOf(filed, "q2", 1_500).map(({ id }) => id)).toEqual(["q1", "q2"]);
  });
});
