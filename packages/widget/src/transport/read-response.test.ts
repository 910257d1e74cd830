// @vitest-environment node
import { describe, expect, it } from "vitest";
import { readMessages, readThread, readThreads } from "./read-response.ts";

describe("the body of a response", () => {
  it("gives a thread its id by either name, no empty title, and a date in one form", () => {
    expect(
      readThreads([
        { threadId: "a", title: "Погода", updatedAt: "2026-11-21T12:00:00Z", more: 1 },
        { id: 7, title: "", updatedAt: 0 },
        { threadId: "s", updatedAt: 1_795_608_000 },
        { id: "c", title: null, updatedAt: "вчера" },
        { title: "без имени" },
        null,
      ]),
    ).toEqual([
      { threadId: "a", title: "Погода", updatedAt: "2026-11-21T12:00:00.000Z" },
      { threadId: "7", updatedAt: "1970-01-01T00:00:00.000Z" },
      { threadId: "s", updatedAt: "2026-11-25T12:00:00.000Z" },
      { threadId: "c", updatedAt: "1970-01-01T00:00:00.000Z" },
    ]);
  });

  it("throws if it is not a thread or a list", () => {
    expect(() => readThread({})).toThrow("The response is not a thread: it has no threadId.");
    expect(() => readThreads("нет")).toThrow("The response is not a list of threads.");
    expect(() => readMessages(null)).toThrow("The response is not a list of messages.");
  });

  it("keeps roles and parts of messages that are not known", () => {
    const robot = { id: "1", role: "robot", content: [{ type: "hologram" }] };
    expect(readMessages([robot, { id: 2, role: "user", content: "Привет" }, { role: "user" }, "нет"])).toEqual([
      robot,
      { id: "2", role: "user", content: "Привет" },
    ]);
  });
});
