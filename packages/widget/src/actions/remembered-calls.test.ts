// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { noon } from "./scripted-chat.ts";
import { calling, startToolChat } from "./scripted-tools.ts";

beforeEach(() => vi.useFakeTimers({ now: noon }));
afterEach(() => vi.useRealTimers());

const described = { description: "Adds to the cart", parameters: { type: "object" } } as const;
type Chat = Awaited<ReturnType<typeof startToolChat>>;

/** Answers this many questions, each with a call of this tool. */
async function answerWithCalls(chat: Chat, times: number, tool: string) {
  for (let time = 1; time <= times; time += 1) {
    const call = calling(tool, {}, `c${time}`).slice(1);
    await chat.say({ type: "start", messageId: `m${time}` }, ...call);
    await chat.say({ type: "tool-output-available", toolCallId: `c${time}`, output: 1 }, { type: "finish" });
    if (time < times) await chat.actions.sendText("t1", "Ещё");
    await chat.settle();
  }
  // After this time no title can arrive any more, and the streams are closed.
  await vi.advanceTimersByTimeAsync(60_000);
}

/** The number of listeners that the widget aborts when it ends. Each call that it remembers is one. */
function abortsAtTheEnd(chat: Chat): number {
  const abort = vi.spyOn(AbortController.prototype, "abort");
  chat.close();
  const { length } = abort.mock.calls;
  abort.mockRestore();
  return length;
}

describe("the calls that a page remembers", () => {
  it("are those of answers that may continue: as many after 30 answers as after one", async () => {
    const counts = [];
    for (const times of [1, 30]) {
      const chat = await startToolChat({ tools: { look: { ...described, execute: () => 1 } } });
      await answerWithCalls(chat, times, "look");
      expect(chat.told()).toHaveLength(2 * times);
      counts.push(abortsAtTheEnd(chat));
    }
    expect(counts[1]).toBe(counts[0]);
  });

  it("do not include those of a thread that is archived", async () => {
    const counts = [];
    for (const times of [0, 10]) {
      const execute = () => new Promise(() => undefined);
      const chat = await startToolChat({ tools: { hang: { ...described, execute } } });
      for (let time = 1; time <= times; time += 1) await chat.say(...calling("hang", {}, `c${time}`));
      await chat.actions.archiveThread("t1");
      await chat.settle();
      counts.push(abortsAtTheEnd(chat));
    }
    expect(counts[1]).toBe(counts[0]);
  });

  it("are not those of a tool that the page does not have, once the answer has ended", async () => {
    const chat = await startToolChat();
    await answerWithCalls(chat, 30, "later");
    const reads = vi.spyOn(chat.store, "get");
    chat.actions.changePageOffer();
    await chat.settle();
    expect(reads).not.toHaveBeenCalled();
  });

  it("are counted once for a tool that the page does not have, however often a rejoined run repeats the call", async () => {
    const execute = vi.fn<() => unknown>(() => 1);
    const chat = await startToolChat();
    for (let time = 0; time < 5; time += 1) {
      await chat.say(...calling("later"));
      chat.last().close();
      await chat.settle();
      await vi.advanceTimersByTimeAsync(1000);
    }
    chat.offer.now = { tools: { later: { ...described, execute } } };
    chat.actions.changePageOffer();
    await chat.settle();
    expect([execute.mock.calls.length, chat.told()]).toEqual([1, ["claim: page", "output: 1"]]);
  });
});
