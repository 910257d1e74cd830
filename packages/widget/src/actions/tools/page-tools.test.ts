// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { NitkaTool } from "./page-offer.ts";
import { noon } from "../scripted-chat.ts";
import { calling, refusal, startToolChat } from "../scripted-tools.ts";

beforeEach(() => vi.useFakeTimers({ now: noon }));
afterEach(() => vi.useRealTimers());

const parameters = { type: "object" } as const;
const described = { description: "Adds to the cart", parameters } as const;

describe("a tool of the page", () => {
  it("is claimed, runs with its arguments, and answers", async () => {
    const calls: unknown[] = [];
    const execute = (args: unknown, call: object) => {
      calls.push([args, Object.keys(call)]);
      return Promise.resolve({ items: 2 });
    };
    const chat = await startToolChat({ tools: { cart_add: { ...described, execute } } });
    await chat.say(...calling("cart_add", { sku: "a" }));
    expect(calls).toEqual([[{ sku: "a" }, ["signal", "threadId", "toolCallId"]]]);
    expect(chat.told()).toEqual(["claim: page", 'output: {"items":2}']);
  });

  it("that is repeatable is not claimed", async () => {
    const chat = await startToolChat({ tools: { look: { ...described, repeatable: true, execute: () => 5 } } });
    await chat.say(...calling("look"));
    expect(chat.told()).toEqual(["output: 5"]);
  });

  it("that is invalid is reported at the start, and the others run", async () => {
    const wrong = { ...described, execute: 5 } as unknown as NitkaTool;
    const chat = await startToolChat({ tools: { wrong, look: { ...described, execute: () => 1 } } });
    const reason = "Nitka: tools.wrong.execute must be function or undefined, not 5.";
    expect(chat.errors()).toEqual([reason]);
    await chat.say(...calling("wrong"), ...calling("look", {}, "c2").slice(1));
    expect([chat.told(), chat.errors()]).toEqual([["claim: page", "output: 1"], [reason]]);
  });

  it("that another page has claimed does not run here, and is shown as running there", async () => {
    const execute = vi.fn<() => unknown>();
    const chat = await startToolChat({
      tools: { buy: { ...described, execute } },
      onAnswer: () => Promise.reject(refusal(409, "already_claimed")),
    });
    await chat.say(...calling("buy"));
    expect(execute).not.toHaveBeenCalled();
    expect(chat.calls()).toEqual({ c1: { type: "elsewhere" } });
  });

  it("that the page does not have is left to other pages until the page offers it", async () => {
    const chat = await startToolChat();
    await chat.say(...calling("later"));
    expect(chat.told()).toEqual([]);
    chat.offer.now = { tools: { later: { ...described, execute: () => "да" } } };
    chat.actions.changePageOffer();
    await chat.settle();
    expect(chat.told()).toEqual(["claim: page", 'output: "да"']);
  });

  it("that is added to the same object is seen with the next call, and one that is taken out is not", async () => {
    const tools: Record<string, NitkaTool> = { old: { ...described, execute: () => "старый" } };
    const chat = await startToolChat({ tools });
    tools["later"] = { ...described, execute: () => "новый" };
    delete tools["old"];
    await chat.say(...calling("later"), ...calling("old", {}, "c2").slice(1));
    expect(chat.told()).toEqual(["claim: page", 'output: "новый"']);
    // The same name now stands for another tool.
    tools["later"] = { ...described, repeatable: true, execute: () => "новейший" };
    await chat.say(...calling("later", {}, "c3").slice(1));
    expect(chat.told().slice(2)).toEqual(['output: "новейший"']);
  });

  it("runs once, however often a rejoined run brings its request", async () => {
    const execute = vi.fn<() => unknown>(() => "да");
    const chat = await startToolChat({ tools: { buy: { ...described, execute } } });
    await chat.say(...calling("buy"));
    chat.last().close();
    await chat.settle();
    await vi.advanceTimersByTimeAsync(1000);
    expect(chat.runs).toHaveLength(2);
    await chat.say(...calling("buy"));
    expect(execute).toHaveBeenCalledOnce();
    expect(chat.told()).toEqual(["claim: page", 'output: "да"']);
  });

  it("does not run where the replay of its run already has its result", async () => {
    const execute = vi.fn<() => unknown>(() => "да");
    const chat = await startToolChat({ tools: { look: { ...described, repeatable: true, execute } } });
    await chat.say(...calling("look"), { type: "tool-output-available", toolCallId: "c1", output: 1 });
    expect(execute).not.toHaveBeenCalled();
    expect(chat.told()).toEqual([]);
  });

  it("runs in a thread that is not shown", async () => {
    const second = { threadId: "t2", updatedAt: new Date(2026, 10, 20).toISOString() };
    const script = { threads: [{ threadId: "t1", updatedAt: noon.toISOString() }, second] };
    const chat = await startToolChat({ script, tools: { look: { ...described, execute: () => 1 } } });
    await chat.actions.selectThread("t2");
    await chat.say(...calling("look"));
    expect(chat.told()).toEqual(["claim: page", "output: 1"]);
  });
});

describe("an error of a tool is reported to the model and to the host:", () => {
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  const wrongs: readonly (readonly [string, () => unknown, string])[] = [
    [
      "it throws",
      () => {
        throw new Error("нет на складе");
      },
      "нет на складе",
    ],
    ["it rejects with no error", () => Promise.reject("пусто"), "пусто"],
    ["it returns nothing", () => undefined, "it ran, and returned no value; it must return JSON, such as null"],
    [
      "it returns a function",
      () => () => 1,
      "it ran, and its output cannot be sent: it is a function, which JSON cannot hold",
    ],
    [
      "its output has a function",
      () => ({ onClick: () => 1 }),
      'its field "onClick" is a function, which JSON cannot hold',
    ],
    [
      "its output has a cycle",
      () => circle,
      "it ran, and its output cannot be sent: Converting circular structure to JSON",
    ],
    [
      "its output is 10 MB",
      () => "я".repeat(5_000_000),
      "it ran, and its output has 10000002 bytes as JSON; at most 900000 can be sent",
    ],
  ];
  it.each(wrongs)("%s", async (_, execute, reason) => {
    const chat = await startToolChat({ tools: { buy: { ...described, execute } } });
    await chat.say(...calling("buy"));
    expect(chat.answers).toHaveLength(2);
    expect(chat.answers[1]).toEqual({ toolCallId: "c1", errorText: expect.stringContaining(reason) as unknown });
    expect(chat.errors()).toEqual([expect.stringContaining(`Nitka: the tool "buy" failed: `)]);
    expect(chat.errors()[0]).toContain(reason);
  });

  it("the backend refuses its output", async () => {
    const chat = await startToolChat({
      tools: { buy: { ...described, repeatable: true, execute: () => 1 } },
      onAnswer: (answer) => ("output" in answer ? Promise.reject(refusal(413)) : undefined),
    });
    await chat.say(...calling("buy"));
    expect(chat.told()).toEqual(["output: 1", 'errorText: "The tool \\"buy\\" failed: HTTP 413"']);
  });
});

describe("a tool that does not end", () => {
  const hanging = async () => {
    const signals: AbortSignal[] = [];
    const execute = (_: unknown, { signal }: { readonly signal: AbortSignal }) => {
      signals.push(signal);
      return new Promise(() => undefined);
    };
    const chat = await startToolChat({ tools: { hang: { ...described, execute } } });
    await chat.say(...calling("hang"));
    expect(chat.calls()).toEqual({ c1: { type: "running" } });
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    return { chat, isAborted: () => signals.map(({ aborted }) => aborted) };
  };

  it("is aborted when its time is over, as the stream says", async () => {
    const { chat, isAborted } = await hanging();
    await chat.say({ type: "tool-output-error", toolCallId: "c1", errorText: "Nobody answered." });
    expect([isAborted(), chat.calls(), chat.errors()]).toEqual([[true], {}, []]);
  });

  it("is aborted when the visitor stops the answer", async () => {
    const { chat, isAborted } = await hanging();
    void chat.actions.stop("t1");
    await chat.settle();
    expect([isAborted(), chat.calls()]).toEqual([[true], {}]);
  });

  it("is aborted when the answer ends, and when the widget is destroyed", async () => {
    const ended = await hanging();
    await ended.chat.say({ type: "error", errorText: "Модель устала" });
    expect(ended.isAborted()).toEqual([true]);
    const destroyed = await hanging();
    destroyed.chat.close();
    expect(destroyed.isAborted()).toEqual([true]);
    expect(destroyed.chat.told()).toEqual(["claim: page"]);
  });

  it("is not run again when the visitor joins the lost answer again: the model is told that it was stopped", async () => {
    const { chat, isAborted } = await hanging();
    for (let attempt = 0; attempt < 10; attempt += 1) {
      chat.last().close();
      await chat.settle();
      await vi.advanceTimersByTimeAsync(10_000);
    }
    expect([isAborted(), chat.conversation().run]).toEqual([[true], undefined]);
    void chat.actions.retry("t1", "m1");
    await chat.settle();
    await chat.say(...calling("hang"));
    expect(isAborted()).toEqual([true]);
    expect(chat.told().slice(1)).toEqual(['errorText: "The tool \\"hang\\" was stopped before it ended."']);
  });
});

describe("an answer that cannot be sent", () => {
  it("is sent again until the backend has it: an answer that it has already is a success", async () => {
    let failures = 2;
    const chat = await startToolChat({
      tools: { buy: { ...described, execute: () => 1 } },
      onAnswer: (answer) => {
        if (!("output" in answer)) return;
        failures -= 1;
        throw failures > 0 ? refusal(failures === 1 ? 503 : 0) : refusal(409, "already_answered");
      },
    });
    await chat.say(...calling("buy"));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(chat.told()).toEqual(["claim: page", "output: 1", "output: 1"]);
    expect(chat.errors()).toEqual([]);
  });

  it("is given up when the run is over", async () => {
    const chat = await startToolChat({
      tools: { buy: { ...described, execute: () => 1 } },
      onAnswer: () => Promise.reject(refusal(0)),
    });
    await chat.say(...calling("buy"));
    await vi.advanceTimersByTimeAsync(2000);
    await chat.say({ type: "finish" });
    const { length } = chat.answers;
    expect(length).toBeGreaterThan(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(chat.answers).toHaveLength(length);
  });

  it("is reported if the backend refuses it permanently", async () => {
    const chat = await startToolChat({
      tools: { buy: { ...described, execute: () => 1 } },
      onAnswer: () => Promise.reject(refusal(403)),
    });
    await chat.say(...calling("buy"));
    expect(chat.errors()).toEqual(['Nitka: the tool "buy" could not be answered: HTTP 403']);
    expect(chat.calls()).toEqual({});
  });
});

describe("a tool without execute", () => {
  it("waits, and is answered by the host's view", async () => {
    const chat = await startToolChat({ tools: { pick: described } });
    // The view may answer before the request has arrived.
    const early = chat.actions.answerTool("t1", "c1", { size: "M" });
    await chat.say(...calling("pick"));
    await early;
    expect(chat.told()).toEqual(['output: {"size":"M"}']);
  });

  it("may be answered again after an answer that cannot be sent", async () => {
    const chat = await startToolChat({ tools: { pick: described } });
    await chat.say(...calling("pick"));
    expect(chat.calls()).toEqual({ c1: { type: "waiting" } });
    await expect(chat.actions.answerTool("t1", "c1", undefined)).rejects.toThrow("returned no value");
    await chat.actions.answerTool("t1", "c1", "L");
    expect(chat.told()).toEqual(['output: "L"']);
  });

  it("rejects an answer once nobody waits for it", async () => {
    const chat = await startToolChat({ tools: { pick: described } });
    await chat.say(...calling("pick"));
    await chat.say({ type: "finish" });
    await expect(chat.actions.answerTool("t1", "c1", "L")).rejects.toThrow(
      'Nitka: the answer to the tool call "c1" was refused: nothing waits for it.',
    );
  });
});
