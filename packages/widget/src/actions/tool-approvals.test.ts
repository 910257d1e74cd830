// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { noon } from "./scripted-chat.ts";
import { asking, calling, refusal, startToolChat } from "./scripted-tools.ts";

beforeEach(() => vi.useFakeTimers({ now: noon }));
afterEach(() => vi.useRealTimers());

const parameters = { type: "object" } as const;
const described = { description: "Adds to the cart", parameters } as const;

describe("a tool that the visitor confirms", () => {
  const tool = { ...described, title: "В корзину", confirm: "Добавить в корзину?", execute: () => 1 };

  it("asks first, and runs when it is allowed", async () => {
    const chat = await startToolChat({ tools: { buy: tool } });
    await chat.say(...calling("buy"));
    const question = { title: "В корзину", question: "Добавить в корзину?", parameters };
    expect(chat.calls()).toEqual({ c1: { type: "asking", ...question } });
    expect(chat.told()).toEqual([]);
    void chat.actions.decideTool("t1", "c1", true);
    await chat.settle();
    expect(chat.told()).toEqual(["claim: page", "approved: true", "output: 1"]);
  });

  it("does not run when it is denied", async () => {
    const execute = vi.fn<() => unknown>();
    const chat = await startToolChat({ tools: { buy: { ...tool, confirm: true, execute } } });
    await chat.say(...calling("buy"));
    expect(chat.calls()).toEqual({ c1: { type: "asking", title: "В корзину", parameters } });
    void chat.actions.decideTool("t1", "c1", false);
    await chat.settle();
    expect(chat.told()).toEqual(["approved: false"]);
    await chat.say({ type: "tool-output-denied", toolCallId: "c1" });
    expect([chat.calls(), execute.mock.calls]).toEqual([{}, []]);
  });

  it("runs elsewhere when another page was first", async () => {
    const execute = vi.fn<() => unknown>();
    const chat = await startToolChat({
      tools: { buy: { ...tool, execute } },
      onAnswer: () => Promise.reject(refusal(409, "already_claimed")),
    });
    await chat.say(...calling("buy"));
    void chat.actions.decideTool("t1", "c1", true);
    await chat.settle();
    expect([chat.calls(), execute.mock.calls]).toEqual([{ c1: { type: "elsewhere" } }, []]);
  });

  it("stops asking when another page has allowed it", async () => {
    const chat = await startToolChat({ tools: { buy: tool } });
    await chat.say(...calling("buy"));
    await chat.say({ type: "data-tool-approved", toolCallId: "c1" });
    expect(chat.calls()).toEqual({ c1: { type: "elsewhere" } });
    expect(chat.told()).toEqual([]);
  });

  it("does not ask again after a reload where the visitor has allowed it", async () => {
    const chat = await startToolChat({
      tools: { buy: tool },
      onAnswer: () => Promise.reject(refusal(409, "already_claimed")),
    });
    await chat.say(...calling("buy"), { type: "data-tool-approved", toolCallId: "c1" });
    expect([chat.calls(), chat.told()]).toEqual([{ c1: { type: "elsewhere" } }, ["claim: page"]]);
  });

  it("runs after an approval whose response was lost, once the stream says that it counts", async () => {
    let tries = 0;
    const chat = await startToolChat({
      tools: { buy: tool },
      onAnswer: (answer) => {
        if (!("approved" in answer)) return;
        tries += 1;
        throw tries === 1 ? refusal(0) : refusal(409, "already_answered");
      },
    });
    await chat.say(...calling("buy"));
    void chat.actions.decideTool("t1", "c1", true);
    await chat.settle();
    await vi.advanceTimersByTimeAsync(1000);
    await chat.settle();
    expect(chat.told()).toEqual(["claim: page", "approved: true", "approved: true"]);
    await chat.say({ type: "data-tool-approved", toolCallId: "c1" });
    expect(chat.told().at(-1)).toBe("output: 1");
  });
});

describe("a tool of the server that waits for approval", () => {
  it.each([
    [true, { type: "data-tool-approved", toolCallId: "c1" }],
    [false, { type: "tool-output-denied", toolCallId: "c1" }],
  ] as const)("waits for the visitor, who decides once (%s)", async (approved, event) => {
    const chat = await startToolChat();
    await chat.say(...asking("cancel_order", { order: 7 }));
    expect(chat.calls()).toEqual({ c1: { type: "asking", title: "cancel_order" } });
    void chat.actions.decideTool("t1", "c1", approved);
    void chat.actions.decideTool("t1", "c1", !approved);
    await chat.settle();
    expect(chat.told()).toEqual([`approved: ${approved}`]);
    expect(chat.calls()).toEqual({ c1: { type: "deciding", title: "cancel_order", approved } });
    await chat.say(event);
    expect(chat.calls()).toEqual({});
  });

  it("stops asking when it was decided elsewhere, or the run is over", async () => {
    const chat = await startToolChat();
    await chat.say(...asking("cancel_order"));
    await chat.say({ type: "data-tool-approved", toolCallId: "c1" });
    expect(chat.calls()).toEqual({});
    await chat.say(...asking("cancel_order", {}, "c2").slice(1));
    expect(Object.keys(chat.calls())).toEqual(["c2"]);
    await chat.say({ type: "finish" });
    expect(chat.calls()).toEqual({});
  });

  it("asks again with the reason if the decision is refused", async () => {
    const chat = await startToolChat({ onAnswer: () => Promise.reject(refusal(403)) });
    await chat.say(...asking("cancel_order"));
    void chat.actions.decideTool("t1", "c1", true);
    await chat.settle();
    const failure = { kind: "http", detail: "HTTP 403" };
    expect(chat.calls()).toEqual({ c1: { type: "asking", title: "cancel_order", failure } });
  });
});
