import { describe, expect, it } from "vitest";
import { applyEvent, beginAnswer, settle } from "./apply-event.ts";
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

  it.each(["q", null])("hangs on the parent %j", (parentId) => {
    expect(beginAnswer("a", parentId).message.parentId).toBe(parentId);
  });
});

describe("applyEvent", () => {
  it("changes no answer that it is given", () => {
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

  it("keeps the parts that an event does not touch as the objects that they are", () => {
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
  ] satisfies StreamEvent[])("leaves the answer as it is at $type", (event) => {
    const answer = beginAnswer("a");
    expect(applyEvent(answer, event)).toBe(answer);
  });

  it("gives an error the code that was said just before it, whatever blocks end between", () => {
    const events: readonly StreamEvent[] = [
      { type: "text-delta", id: "t", delta: "a" },
      { type: "data-error", code: "silent" },
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

  it("takes an error of the code «interrupted» for an answer cut off by its server", () => {
    const events: readonly StreamEvent[] = [
      { type: "data-error", code: "interrupted" },
      { type: "error", errorText: "Сервер остановился" },
    ];
    expect(events.reduce(applyEvent, beginAnswer("a")).message.status).toEqual({
      type: "incomplete",
      reason: "interrupted",
    });
  });

  it("makes no failure of a code that no error follows", () => {
    const events: readonly StreamEvent[] = [{ type: "data-error", code: "silent" }, { type: "finish" }];
    expect(events.reduce(applyEvent, beginAnswer("a")).message.status).toEqual({ type: "complete" });
  });

  it("adds no part when a block ends", () => {
    const answer = applyEvent(beginAnswer("a"), { type: "text-delta", id: "t", delta: "x" });
    expect(applyEvent(answer, { type: "text-end", id: "t" }).message).toEqual(answer.message);
  });

  it("renames in place and keeps everything else", () => {
    const answer = applyEvent(beginAnswer("a", "q"), { type: "text-delta", delta: "x" });
    expect(applyEvent(answer, { type: "start", messageId: "b" })).toEqual({
      ...answer,
      message: { ...answer.message, id: "b" },
    });
  });

  it("goes on with an answer whose content is written as plain text", () => {
    const stored = { id: "a", role: "assistant", content: "Нач", status: { type: "running" } } as const;
    const answer = applyEvent({ message: stored, open: {} }, { type: "text-delta", delta: "ало" });
    expect(answer.message.content).toEqual([{ type: "text", text: "Начало" }]);
  });
});

describe("settle", () => {
  const running = applyEvent(beginAnswer("a"), { type: "text-delta", delta: "x" });

  it("says how a running answer ended", () => {
    const status = { type: "incomplete", reason: "interrupted" } as const;
    expect(settle(running, status).message).toEqual({ ...running.message, status });
  });

  it("leaves what has settled as it is", () => {
    const settled = settle(running, { type: "complete" });
    expect(settle(settled, { type: "incomplete", reason: "error" })).toBe(settled);
  });

  it("drops blocks that nothing was written to", () => {
    const events = [{ type: "text-start" }, { type: "reasoning-start" }] satisfies StreamEvent[];
    expect(settle(events.reduce(applyEvent, running), { type: "complete" }).message.content).toEqual([
      { type: "text", text: "x" },
    ]);
  });
});
