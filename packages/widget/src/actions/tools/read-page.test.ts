// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { PageOffer } from "./page-offer.ts";
import { noon, startScriptedChat } from "../scripted-chat.ts";
import { features } from "../scripted-tools.ts";

beforeEach(() => vi.useFakeTimers({ now: noon }));
afterEach(() => vi.useRealTimers());

const everything = { features };

/** Asks a question and returns what its request says about the page. */
async function ask(offer: PageOffer, config: Parameters<typeof startScriptedChat>[1] = everything) {
  const chat = await startScriptedChat({}, config, { pageOffer: () => offer });
  const sent = chat.actions.sendText("t1", "Что здесь?");
  await chat.settle();
  await import("./page-tools.ts");
  await chat.settle();
  await sent;
  const request = () => {
    const { messages: _, ...rest } = chat.last().request ?? {};
    return rest;
  };
  return {
    chat,
    request,
    errors: () => chat.events.flatMap((event) => (event.type === "error" ? event.detail.message : [])),
  };
}

describe("the page's context", () => {
  it.each([
    ["a value", { page: "cart" }],
    ["a function", () => ({ page: "cart" })],
    ["an asynchronous function", () => Promise.resolve({ page: "cart" })],
  ])("is sent with a question: %s", async (_, pageContext) => {
    const { request } = await ask({ pageContext });
    expect(request()).toEqual({ pageContext: { page: "cart" } });
  });

  it("is read at each question", async () => {
    let page = 0;
    const { chat, request } = await ask({ pageContext: () => (page += 1) });
    await chat.say({ type: "finish" });
    await chat.actions.sendText("t1", "А теперь?");
    await chat.settle();
    expect(request()).toEqual({ pageContext: 2 });
  });

  it("is read once for a question that is posted again", async () => {
    let page = 0;
    const chat = await startScriptedChat(
      {
        before: (call) =>
          call === "startRun" && page === 1 ? ((page = 1.5), Promise.reject(new TypeError("network"))) : undefined,
      },
      everything,
      { pageOffer: () => ({ pageContext: () => (page += 1) }) },
    );
    await chat.actions.sendText("t1", "Что здесь?");
    await import("./page-tools.ts");
    await chat.settle();
    await vi.advanceTimersByTimeAsync(1000);
    await chat.settle();
    expect(chat.last().request?.pageContext).toBe(1);
  });

  it("is not sent to a backend that does not support it, nor if there is none", async () => {
    expect((await ask({ pageContext: 1 }, {})).request()).toEqual({});
    expect((await ask({ pageContext: () => undefined })).request()).toEqual({});
    expect((await ask({ pageContext: () => null })).request()).toEqual({});
    expect((await ask({})).request()).toEqual({});
  });

  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  const wrongs: readonly (readonly [string, unknown, string])[] = [
    [
      "throws",
      () => {
        throw new Error("нет корзины");
      },
      "нет корзины.",
    ],
    ["rejects", () => Promise.reject(new Error("нет сети")), "нет сети."],
    ["has a cycle", circle, "Converting circular structure to JSON."],
    ["has a function", { onClick: () => 1 }, 'its field "onClick" is a function, which JSON cannot hold.'],
    ["gives a function", () => () => 1, "it is a function, which JSON cannot hold."],
    ["is too large", "я".repeat(16_000), "it has 16002 characters as JSON, and at most 16000 are allowed."],
  ];
  it.each(wrongs)(
    "that %s is left out with an error, and the question is still sent",
    async (_, pageContext, reason) => {
      const { request, errors, chat } = await ask({ pageContext });
      expect(request()).toEqual({});
      expect(errors()).toEqual([`Nitka: pageContext is left out of the question: ${reason}`]);
      expect(chat.logged).toEqual(errors());
    },
  );

  it("that takes longer than 2 s is left out, and the question is sent all the same", async () => {
    const { chat, request, errors } = await ask({ pageContext: () => new Promise(() => undefined) });
    expect(chat.runs).toEqual([]);
    await vi.advanceTimersByTimeAsync(2000);
    await chat.settle();
    expect([request(), errors()]).toEqual([
      {},
      ["Nitka: pageContext is left out of the question: it took longer than 2 s."],
    ]);
  });

  it("does not hold up a question that the visitor stops", async () => {
    const { chat } = await ask({ pageContext: () => new Promise(() => undefined) });
    void chat.actions.stop("t1");
    await vi.advanceTimersByTimeAsync(5000);
    expect({ shown: chat.shown(), draft: chat.store.get().drafts["t1"]?.text }).toEqual({
      shown: [],
      draft: "Что здесь?",
    });
  });
});

describe("the page's tools", () => {
  const parameters = { type: "object", properties: { sku: { type: "string" } } };
  const tools = { buy: { description: "Buys", parameters, title: "Купить", confirm: true, execute: () => 1 } };

  it("are declared with each question: name, description and parameters", async () => {
    const { request } = await ask({ tools });
    expect(request()).toEqual({ tools: [{ name: "buy", description: "Buys", parameters }] });
  });

  it("are not declared to a backend that does not support them, nor if there are none", async () => {
    expect((await ask({ tools }, {})).request()).toEqual({});
    expect((await ask({ tools: {} })).request()).toEqual({});
  });

  it("are declared with a question that is asked again", async () => {
    const { chat, request } = await ask({ tools });
    await chat.say({ type: "start", messageId: "m1" }, { type: "finish" });
    chat.actions.regenerate("t1", "m1");
    await chat.settle();
    expect(request()).toMatchObject({ trigger: "regenerate-message", tools: [{ name: "buy" }] });
  });

  it("whose parameters are not JSON are left out one by one", async () => {
    const circle: Record<string, unknown> = { type: "object" };
    circle["self"] = circle;
    const { request, errors } = await ask({ tools: { ...tools, broken: { ...tools.buy, parameters: circle } } });
    expect(request()).toMatchObject({ tools: [{ name: "buy" }] });
    expect(errors()).toEqual([expect.stringContaining('the tool "broken" is left out of the question')]);
  });
});
