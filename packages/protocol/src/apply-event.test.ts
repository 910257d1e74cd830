import { describe, expect, it } from "vitest";
import { applyEvent, endAnswer } from "./apply-event.ts";
import { beginAnswer } from "./begin-answer.ts";
import type { Answer } from "./apply-event.ts";
import type { StreamEvent } from "./stream-event.ts";

describe("beginAnswer", () => {
  it("is an empty, running message", () => {
    expect(beginAnswer("a").message).toEqual({
      id: "a",
      role: "assistant",
      content: [],
      status: { type: "running" },
    });
  });

  it.each(["q", null])("has the parent %j", (parentId) => {
    expect(beginAnswer("a", parentId).message.parentId).toBe(parentId);
  });
});

describe("applyEvent", () => {
  it("does not mutate the answer", () => {
    const events: readonly StreamEvent[] = [
      { type: "start", messageId: "m" },
      { type: "text-start", id: "t" },
      { type: "text-delta", id: "t", delta: "a" },
      { type: "tool-input-start", toolCallId: "c", toolName: "x" },
      { type: "tool-output-available", toolCallId: "c", output: 1 },
      { type: "text-end", id: "t" },
      { type: "finish" },
    ];
    let answer = beginAnswer("a");
    for (const event of events) {
      const before = structuredClone(answer);
      const next = applyEvent(answer, event);
      expect(answer).toEqual(before);
      answer = next;
    }
  });

  it("returns untouched parts as the same objects", () => {
    const before = [
      { type: "text-delta", id: "t", delta: "a" },
      { type: "tool-output-available", toolCallId: "c", output: 1 },
    ] satisfies StreamEvent[];
    const answer = before.reduce(applyEvent, beginAnswer("a"));
    const after = applyEvent(answer, { type: "text-delta", id: "t", delta: "b" });
    expect(after.message.content[0]).toEqual({ type: "text", text: "ab" });
    expect(after.message.content[1]).toBe(answer.message.content[1]);
  });

  it.each([
    { type: "data-title", title: "a" },
    { type: "data-thinking", text: "a" },
    { type: "thread-rename", title: "a" },
    { type: "start-step" },
    { type: "finish-step" },
    { type: "message-metadata" },
  ] satisfies StreamEvent[])("returns the same answer object for $type", (event) => {
    const answer = beginAnswer("a");
    expect(applyEvent(answer, event)).toBe(answer);
  });

  it("gives an error the code of the preceding data-error, even when parts are written in between", () => {
    const events: readonly StreamEvent[] = [
      { type: "text-delta", id: "t", delta: "a" },
      { type: "data-error", code: "silent" },
      { type: "text-delta", id: "t", delta: "b" },
      { type: "text-end", id: "t" },
      { type: "error", errorText: "Тишина" },
    ];
    expect(events.reduce(applyEvent, beginAnswer("a")).message.status).toEqual({
      type: "incomplete",
      reason: "error",
      error: "Тишина",
      code: "silent",
    });
  });

  it("reads an error with the code «interrupted» as an interrupted answer", () => {
    const events: readonly StreamEvent[] = [
      { type: "data-error", code: "interrupted" },
      { type: "error", errorText: "Сервер остановился" },
    ];
    expect(events.reduce(applyEvent, beginAnswer("a")).message.status).toEqual({
      type: "incomplete",
      reason: "interrupted",
    });
  });

  it("completes the answer when no error follows a data-error", () => {
    const events: readonly StreamEvent[] = [{ type: "data-error", code: "silent" }, { type: "finish" }];
    expect(events.reduce(applyEvent, beginAnswer("a")).message.status).toEqual({ type: "complete" });
  });

  it.each<readonly [string, readonly StreamEvent[], Answer["message"]["content"]]>([
    [
      "blocks side by side, each by its id",
      [
        { type: "text-start", id: "a" },
        { type: "text-delta", id: "a", delta: "1" },
        { type: "text-start", id: "b" },
        { type: "text-delta", id: "b", delta: "2" },
        { type: "text-delta", id: "a", delta: "3" },
      ],
      [
        { type: "text", text: "13" },
        { type: "text", text: "2" },
      ],
    ],
    [
      "deltas without an id, to the last part of their kind",
      [
        { type: "text-delta", delta: "1" },
        { type: "text-delta", delta: "2" },
        { type: "source-document", sourceId: "s", title: "S" },
        { type: "text-delta", delta: "3" },
      ],
      [
        { type: "text", text: "12" },
        { type: "source", sourceType: "url", id: "s", url: "", title: "S" },
        { type: "text", text: "3" },
      ],
    ],
    [
      "an id that starts again, to a new block",
      [
        { type: "reasoning-delta", id: "a", delta: "1" },
        { type: "reasoning-start", id: "a" },
        { type: "reasoning-delta", id: "a", delta: "2" },
      ],
      [
        { type: "reasoning", text: "1" },
        { type: "reasoning", text: "2" },
      ],
    ],
    [
      "a tool call, by its id",
      [
        { type: "tool-input-start", toolCallId: "c1", toolName: "weather" },
        { type: "tool-input-delta", toolCallId: "c1", inputTextDelta: '{"city":"Уфа"}' },
        { type: "tool-output-available", toolCallId: "c1", output: -4 },
      ],
      [{ type: "tool-call", toolCallId: "c1", toolName: "weather", argsText: '{"city":"Уфа"}', result: -4 }],
    ],
    [
      "content of the host's own kind: later content of the same name and id in place of the earlier one",
      [
        { type: "data", name: "order", id: "1", data: "a" },
        { type: "data", name: "chart", id: "1", data: "b" },
        { type: "data", name: "order", data: "c" },
        { type: "data", name: "order", id: "1", data: "d" },
        { type: "data", name: "order", data: "e" },
      ],
      [
        { type: "data", name: "order", id: "1", data: "d" },
        { type: "data", name: "chart", id: "1", data: "b" },
        { type: "data", name: "order", data: "c" },
        { type: "data", name: "order", data: "e" },
      ],
    ],
    [
      "an approval that is requested, then given or denied; a tool with a result was approved",
      [
        ...["c1", "c2", "c3", "c4"].flatMap((toolCallId) => [
          { type: "tool-input-available", toolCallId, toolName: "buy", input: {} } as const,
          { type: "tool-approval-request", toolCallId, approvalId: toolCallId } as const,
        ]),
        { type: "tool-output-denied", toolCallId: "c2" },
        { type: "data-tool-approved", toolCallId: "c3" },
        { type: "tool-output-available", toolCallId: "c4", output: 1 },
      ],
      [
        { ...boughtWith("c1"), approval: "requested" },
        { ...boughtWith("c2"), approval: "denied" },
        { ...boughtWith("c3"), approval: "approved" },
        { ...boughtWith("c4"), result: 1, approval: "approved" },
      ],
    ],
  ])("writes %s", (_, events, content) => {
    expect(events.reduce(applyEvent, beginAnswer("a")).message.content).toEqual(content);
  });

  it("sets the suggestions, also after the end", () => {
    const suggestions = [{ title: "Ещё", prompt: "Расскажи ещё" }];
    const events: readonly StreamEvent[] = [{ type: "finish" }, { type: "data-suggestions", suggestions }];
    const { message } = events.reduce(applyEvent, beginAnswer("a"));
    expect(message).toMatchObject({ status: { type: "complete" }, suggestions });
  });

  it("adds no part when a block ends", () => {
    const answer = applyEvent(beginAnswer("a"), { type: "text-delta", id: "t", delta: "x" });
    expect(applyEvent(answer, { type: "text-end", id: "t" }).message).toEqual(answer.message);
  });

  it("changes only the id at start", () => {
    const answer = applyEvent(beginAnswer("a", "q"), { type: "text-delta", delta: "x" });
    expect(applyEvent(answer, { type: "start", messageId: "b" })).toEqual({
      ...answer,
      message: { ...answer.message, id: "b" },
    });
  });

  it("appends to an answer whose content is a string", () => {
    const stored = { id: "a", role: "assistant", content: "Нач", status: { type: "running" } } as const;
    const answer = applyEvent({ message: stored, blocks: {} }, { type: "text-delta", delta: "ало" });
    expect(answer.message.content).toEqual([{ type: "text", text: "Начало" }]);
  });
});

describe("endAnswer", () => {
  const running = applyEvent(beginAnswer("a"), { type: "text-delta", delta: "x" });

  it("gives a running answer its final status", () => {
    const status = { type: "incomplete", reason: "interrupted" } as const;
    expect(endAnswer(running, status).message).toEqual({ ...running.message, status });
  });

  it("returns an ended answer unchanged", () => {
    const settled = endAnswer(running, { type: "complete" });
    expect(endAnswer(settled, { type: "incomplete", reason: "error" })).toBe(settled);
  });

  it("removes blocks that stayed empty", () => {
    const events = [{ type: "text-start" }, { type: "reasoning-start" }] satisfies StreamEvent[];
    expect(endAnswer(events.reduce(applyEvent, running), { type: "complete" }).message.content).toEqual([
      { type: "text", text: "x" },
    ]);
  });
});

function boughtWith(toolCallId: string) {
  return { type: "tool-call", toolCallId, toolName: "buy", argsText: "{}", args: {} } as const;
}
