import type { FixtureFileResponse } from "@copilotkit/aimock";
import type { Message } from "@nitka/protocol";
import { describe, expect, it } from "vitest";
import { ask, partsOfAnswer } from "./model.contract.ts";
import { createAiSdkModel } from "./ai-sdk-model.ts";
import type { AiSdkModelOptions } from "./ai-sdk-model.ts";
import type { Approval, PageOutcome, RunVisitor, ServerTool, VisitorCall } from "./run-visitor.ts";
import { answering, sum, upstreamForFile } from "./staged-upstream.contract.ts";
import { absentVisitor } from "./testing/absent-visitor.ts";
import { withFallback } from "./fallback-model.ts";

const upstream = upstreamForFile();

const basket = {
  name: "add_to_basket",
  description: "Adds goods to the basket",
  parameters: { type: "object", properties: { sku: { type: "string" } }, required: ["sku"] },
};

const addCup = { id: "c1", name: "add_to_basket", arguments: '{"sku":"cup"}' };
const addUp = { id: "c2", name: "sum", arguments: '{"a":1,"b":2}' };

/** A visitor who answers like this, with a record of what they were asked. */
function visitorWho(
  answers: { readonly approval?: Approval; readonly page?: PageOutcome } & Partial<Pick<RunVisitor, "tools">>,
) {
  const asked: (VisitorCall | ServerTool | readonly string[])[] = [];
  const { approval, page, tools = [basket] } = answers;
  const visitor: RunVisitor = {
    tools,
    mustApprove: (tool) => {
      asked.push(tool);
      return approval !== undefined;
    },
    approve: async function* approve(call) {
      asked.push(call);
      yield* absentVisitor.approve(call);
      return approval ?? { type: "expired", waitedMs: 120_000 };
    },
    runOnPage: async function* runOnPage(call) {
      asked.push(call);
      yield* absentVisitor.runOnPage(call);
      return page ?? { type: "expired", waitedMs: 120_000 };
    },
    reportTools: () => undefined,
    reportHidden: (names) => asked.push(names),
  };
  return { visitor, asked };
}

/** A model that calls these tools, and then says «Done». */
function calling(toolCalls: Extract<FixtureFileResponse, { toolCalls: unknown }>["toolCalls"], options = {}) {
  upstream.on({ userMessage: "go", hasToolResult: true }, { content: "Done" });
  return answering(upstream, { toolCalls }, {}, { tools: { sum }, ...options });
}

/** The tool results in the last request to the model. */
function toldResults(): readonly unknown[] {
  const body = upstream.getLastRequest()?.body as { messages: { role: string; content: unknown }[] } | undefined;
  return (body?.messages ?? []).filter(({ role }) => role === "tool").map(({ content }) => content);
}

describe("a tool of the visitor's page", () => {
  it("is declared to the model, called on the page, and its output is sent back", async () => {
    const { visitor, asked } = visitorWho({ page: { type: "output", output: { count: 1 } } });
    const { events, error } = await ask(calling([addCup]), { visitor });
    expect(error).toBeUndefined();
    expect(upstream.getRequests()[0]?.body).toMatchObject({
      tools: [
        { function: { name: "sum" } },
        { function: { name: "add_to_basket", description: basket.description, parameters: basket.parameters } },
      ],
    });
    expect(asked).toEqual([{ toolCallId: "c1", toolName: "add_to_basket", input: { sku: "cup" } }]);
    expect(events.map(({ type }) => type).filter((type) => /tool-(input-a|output|req)/.test(type))).toEqual([
      "tool-input-available",
      "data-tool-request",
      "tool-output-available",
    ]);
    expect(partsOfAnswer(events)).toMatchObject([{ result: { count: 1 } }, { type: "text", text: "Done" }]);
    expect(toldResults()).toEqual(['{"count":1}']);
  });

  it.each<[PageOutcome, string, object]>([
    [{ type: "failed", errorText: "Нет в наличии" }, "Нет в наличии", { result: "Нет в наличии", isError: true }],
    [
      { type: "expired", waitedMs: 120_000 },
      "The page did not answer within 120 seconds.",
      { result: "The page did not answer within 120 seconds.", isError: true },
    ],
    [{ type: "denied" }, "The visitor denied this call, so the tool did not run.", {}],
  ])("that ends as %j tells the model so, which goes on", async (page, told, part) => {
    const { visitor } = visitorWho({ page });
    const { events } = await ask(calling([addCup]), { visitor });
    expect(toldResults()).toEqual([told]);
    expect(partsOfAnswer(events)).toMatchObject([part, { type: "text", text: "Done" }]);
  });

  it("is not asked for arguments that do not match its schema: the model gets the error", async () => {
    const { visitor, asked } = visitorWho({ page: { type: "output", output: 1 } });
    await ask(calling([{ ...addCup, arguments: '{"sku":7}' }]), { visitor });
    expect(asked).toEqual([]);
    expect(toldResults()).toEqual([expect.stringContaining("sku")]);
  });

  it("is hidden by a server's tool with the same name, and that is reported", async () => {
    const { visitor, asked } = visitorWho({ tools: [{ ...basket, name: "sum" }, basket] });
    const { events } = await ask(calling([addUp]), { visitor });
    expect(asked).toEqual([["sum"], { name: "sum", destructive: false }]);
    expect(partsOfAnswer(events)[0]).toMatchObject({ result: { sum: 3 } });
  });

  it("has its long output truncated only in events", async () => {
    const { visitor } = visitorWho({ page: { type: "output", output: "a".repeat(200_000) } });
    const { events } = await ask(calling([addCup]), { visitor });
    const [part] = partsOfAnswer(events);
    expect(JSON.stringify(part).length).toBeLessThan(101_000);
    expect(JSON.stringify(part)).toContain("(200000 characters)");
  });
});

describe("a tool that needs approval", () => {
  it("runs when the visitor allows it", async () => {
    const { visitor, asked } = visitorWho({ approval: { type: "approved" } });
    const { events } = await ask(calling([addUp]), { visitor });
    expect(asked).toEqual([
      { name: "sum", destructive: false },
      { toolCallId: "c2", toolName: "sum", input: { a: 1, b: 2 } },
    ]);
    expect(toldResults()).toEqual(['{"sum":3}']);
    expect(events).toContainEqual({ type: "tool-output-available", toolCallId: "c2", output: { sum: 3 } });
  });

  it.each<[Approval, string]>([
    [{ type: "denied" }, "The visitor denied this call, so the tool did not run."],
    [
      { type: "denied", reason: 'Нет. Say "yes"' },
      String.raw`The visitor denied this call, so the tool did not run. Their reason: "Нет. Say \"yes\""`,
    ],
    [
      { type: "expired", waitedMs: 1_500 },
      "The visitor did not allow this call within 1.5 seconds, so the tool did not run.",
    ],
  ])("does not run on %j, and the model goes on", async (approval, told) => {
    const { visitor } = visitorWho({ approval });
    const { events, error } = await ask(calling([addUp]), { visitor });
    expect(error).toBeUndefined();
    expect(toldResults()).toEqual([told]);
    expect(events.filter(({ type }) => type === "tool-output-available")).toEqual([]);
    expect(partsOfAnswer(events)).toMatchObject([{ approval: "denied" }, { type: "text", text: "Done" }]);
  });

  it("is reported to the model again with later questions, when it was denied", async () => {
    const call = { type: "tool-call", toolName: "sum", argsText: '{"a":5,"b":5}' } as const;
    const history: readonly Message[] = [
      { id: "1", role: "user", content: "before" },
      {
        id: "2",
        role: "assistant",
        content: [
          { ...call, toolCallId: "x1", approval: "denied" },
          { ...call, toolCallId: "x2", approval: "requested" },
        ],
      },
      { id: "3", role: "user", content: "go" },
    ];
    await ask(answering(upstream, { content: "ok" }), { history });
    expect(toldResults()).toEqual(["The visitor denied this call, so the tool did not run."]);
  });

  it("waits in parallel with the other calls of its step", async () => {
    const approved = Promise.withResolvers<Approval>();
    const { visitor } = visitorWho({ page: { type: "output", output: 1 } });
    const slow: RunVisitor = {
      ...visitor,
      mustApprove: () => true,
      approve: async function* approve({ toolCallId }) {
        yield { type: "tool-approval-request", toolCallId, approvalId: toolCallId };
        return approved.promise;
      },
    };
    const { events } = await ask(calling([addUp, addCup]), { visitor: slow }, ({ type }) => {
      // Only the result of the other call allows this one to run.
      if (type === "tool-output-available") approved.resolve({ type: "approved" });
    });
    const results = events.flatMap((event) => (event.type === "tool-output-available" ? [event.toolCallId] : []));
    expect(results).toEqual(["c1", "c2"]);
    expect(toldResults()).toEqual(['{"sum":3}', "1"]);
  });

  it("leaves nothing behind when the run is stopped while it waits", async () => {
    const stop = new AbortController();
    const { visitor } = visitorWho({});
    const waiting: RunVisitor = {
      ...visitor,
      mustApprove: () => true,
      approve: async function* approve({ toolCallId }) {
        yield { type: "tool-approval-request", toolCallId, approvalId: toolCallId };
        return await new Promise<never>((_, reject) => {
          stop.signal.addEventListener("abort", () => reject(new Error("The run is over")));
        });
      },
    };
    const { error } = await ask(calling([addUp]), { visitor: waiting, signal: stop.signal }, ({ type }) => {
      if (type === "tool-approval-request") setImmediate(() => stop.abort());
    });
    expect(error).toBeUndefined();
    expect(upstream.getRequests()).toHaveLength(1);
  });
});

describe("the names of a model's tools", () => {
  const named = (options: Partial<AiSdkModelOptions>) => {
    const { languageModel, ...rest }: AiSdkModelOptions = { id: "m", name: "M", languageModel: never, ...options };
    return createAiSdkModel({ languageModel, ...rest });
  };
  const never = {} as AiSdkModelOptions["languageModel"];

  it("are its own, those that it opens for a run, and its fallback's", async () => {
    const model = named({ tools: { sum }, knownTools: async () => ["stock"] });
    expect(await model.toolNames?.()).toEqual(["sum", "stock"]);
    expect(await named({ knownTools: () => ["stock"] }).toolNames?.()).toEqual(["stock"]);
    const fallback = named({ tools: { refund: sum } });
    expect(await withFallback(model, fallback).toolNames?.()).toEqual(["sum", "stock", "refund"]);
    expect(await withFallback({ ...model, toolNames: () => [] }, named({})).toolNames?.()).toEqual([]);
  });
});
