// @vitest-environment node
import type { StreamEvent } from "@nitka/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HttpError } from "../transport/http-error.ts";
import { noon, startAskedChat, startScriptedChat } from "./scripted-chat.ts";

beforeEach(() => vi.useFakeTimers({ now: noon }));
afterEach(() => vi.useRealTimers());

const text = (delta: string): StreamEvent => ({ type: "text-delta", id: "1", delta });
const features = { resume: true, cancel: true };
const passing = [0, 408, 429, 500, 502, 503, 504, 507, 529];
const final = [400, 401, 403, 404, 409, 410, 413, 422];

const failure = (status: number, retryAfterMs?: number) =>
  new HttpError(`Upstream ${status}: no`, { status, ...(retryAfterMs !== undefined && { retryAfterMs }) });

/** A chat whose stream has broken after «Да», and whose first rejoin fails with this status. */
async function rejoining(status: number) {
  let failures = 1;
  const chat = await startAskedChat(
    {
      before(call) {
        if (call === "joinRun" && (failures -= 1) >= 0) throw failure(status);
      },
    },
    { features },
  );
  chat.last().emit([{ type: "start", messageId: "m1" }, text("Да")], 1);
  await chat.settle();
  chat.last().close();
  await chat.settle();
  await vi.advanceTimersByTimeAsync(3000);
  await chat.settle();
  return chat;
}

/** A chat whose first question fails with this status this many times. */
async function asking(status: number, failures: number, retryAfterMs?: number) {
  const chat = await startScriptedChat(
    {
      before(call) {
        if (call === "startRun" && (failures -= 1) >= 0) throw failure(status, retryAfterMs);
      },
    },
    { features },
  );
  const posts = () => chat.calls.filter((call) => call === "startRun").length;
  await chat.actions.sendText("t1", "Привет");
  await chat.settle();
  return { chat, posts };
}

describe("a rejoin", () => {
  it.each(passing)("that fails with %i is tried again, and the answer goes on", async (status) => {
    const chat = await rejoining(status);
    expect(chat.last().after).toBe("run:2");
    await chat.say(text(", конечно"), { type: "finish" });
    expect(chat.shown()).toEqual(["user: Привет", "assistant: Да, конечно [complete]"]);
  });

  it.each(final)("that fails with %i ends the answer", async (status) => {
    const chat = await rejoining(status);
    expect(chat.runs).toHaveLength(1);
    expect(chat.shown()).toEqual(["user: Привет", `assistant: Да [error «Upstream ${status}: no»]`]);
  });
});

it.each([0, 429, 503])(
  "an answer whose rejoins all fail with %i is lost, and «Повторить» rejoins it",
  async (status) => {
    let isBroken = true;
    const before = (call: string) => {
      if (call === "joinRun" && isBroken) throw failure(status);
    };
    const chat = await startAskedChat({ before }, { features });
    await chat.say({ type: "start", messageId: "m1" }, text("Да"));
    chat.last().close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(chat.conversation().failures).toMatchObject({ m1: { kind: "lost" } });
    isBroken = false;
    void chat.actions.retry("t1", "m1");
    await chat.settle();
    await chat.say({ type: "start", messageId: "m1" }, text("Да!"), { type: "finish" });
    expect(chat.calls.filter((call) => call === "startRun")).toHaveLength(1);
    expect(chat.shown()).toEqual(["user: Привет", "assistant: Да! [complete]"]);
  },
);

/** The statuses that end a question that the backend has not confirmed. The specification names the error of a 500. */
const finalAtFirst = [429, 500];

describe("a first question", () => {
  it.each(passing.filter((status) => !finalAtFirst.includes(status)))(
    "that fails with %i is posted again",
    async (status) => {
      const { chat, posts } = await asking(status, 1);
      await vi.advanceTimersByTimeAsync(1000);
      await chat.say(text("Да"), { type: "finish" });
      expect({ posts: posts(), shown: chat.shown() }).toEqual({
        posts: 2,
        shown: ["user: Привет", "assistant: Да [complete]"],
      });
    },
  );

  it.each([...finalAtFirst, ...final.filter((status) => status !== 409)])(
    "that fails with %i can be repeated by the visitor",
    async (status) => {
      const { chat, posts } = await asking(status, 1);
      await vi.advanceTimersByTimeAsync(60_000);
      expect({ posts: posts(), shown: chat.shown() }).toEqual({
        posts: 1,
        shown: ["user: Привет", `assistant:  [error «Upstream ${status}: no»]`],
      });
    },
  );

  it.each([0, 502, 503])("outlasts a restart of 15 s that is seen as %i", async (status) => {
    const { chat } = await asking(status, Number.POSITIVE_INFINITY);
    await vi.advanceTimersByTimeAsync(15_000);
    chat.backend.before = () => undefined;
    await vi.advanceTimersByTimeAsync(5000);
    await chat.say(text("Да"), { type: "finish" });
    expect(chat.shown()).toEqual(["user: Привет", "assistant: Да [complete]"]);
  });

  it("is not posted again before the time that the backend has asked for", async () => {
    const { posts } = await asking(503, 1, 10_000);
    await vi.advanceTimersByTimeAsync(9999);
    expect(posts()).toBe(1);
    await vi.advanceTimersByTimeAsync(5000);
    expect(posts()).toBe(2);
  });
});
