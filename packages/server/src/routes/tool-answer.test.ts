import { describe, expect, it } from "vitest";
import { createCallingModel } from "../contract/calling-model.contract.ts";
import type { ScriptedCall } from "../contract/calling-model.contract.ts";
import { eventually } from "../test-waits/eventually.contract.ts";
import { eventsOf, parseFrames, refusalOf, tap } from "../contract/server.contract.ts";
import { threadOpener } from "../contract/thread.contract.ts";
import type { OpenOptions } from "../contract/server.contract.ts";

const { open, openThread } = threadOpener();

const basket: ScriptedCall = { kind: "page", toolCallId: "c1", toolName: "add_to_basket", input: { sku: "cup" } };
const cancelOrder: ScriptedCall = { kind: "approval", toolCallId: "c2", toolName: "cancel_order", input: { id: 7 } };

/** A thread in which a model has made these calls, which are waiting. */
async function openWaiting(calls: readonly ScriptedCall[], options: OpenOptions = {}) {
  const model = createCallingModel(calls);
  const opened = await open({ model, ...options });
  const client = await opened.visitor();
  const threadId = await client.newThread();
  const asked = await client.ask(threadId, { id: "q1" });
  const stream = tap(asked);
  await eventually(() => expect(stream.text().match(/approval-request|data-tool-request/g)).toHaveLength(calls.length));
  const post = (body: object) => client.post(`threads/${threadId}/run/tool`, body);
  const events = async () => {
    await stream.done;
    // The time of the title is not fixed.
    return parseFrames(stream.text()).flatMap(({ data }) => (/data-title/.test(JSON.stringify(data)) ? [] : [data]));
  };
  const outcomeOf = async (body: object) => {
    const response = await post(body);
    return response.status === 200 ? 200 : refusalOf(response);
  };
  return { ...opened, model, client, threadId, stream, post, events, outcomeOf };
}

const start = { type: "start", messageId: expect.any(String) as unknown };
const said = [
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta: "Готово" },
  { type: "text-end", id: "t" },
];
const finish = { type: "finish", finishReason: "stop" };

function called({ toolCallId, toolName, input }: ScriptedCall) {
  return { type: "tool-input-available", toolCallId, toolName, input };
}

describe("a tool of the page", () => {
  const request = {
    type: "data-tool-request",
    data: { toolCallId: "c1", toolName: "add_to_basket", input: { sku: "cup" } },
  };

  it("is requested in the stream, and the answer continues with its output", async () => {
    const { events, outcomeOf, model } = await openWaiting([basket]);
    expect(await outcomeOf({ toolCallId: "c1", output: { count: 1 } })).toBe(200);
    expect(await events()).toEqual([
      start,
      called(basket),
      request,
      { type: "tool-output-available", toolCallId: "c1", output: { count: 1 } },
      ...said,
      finish,
      "[DONE]",
    ]);
    expect(model.outcomes.get("c1")).toEqual({ type: "output", output: { count: 1 } });
  });

  it("may fail, with its own message", async () => {
    const { events, outcomeOf, model } = await openWaiting([basket]);
    expect(await outcomeOf({ toolCallId: "c1", errorText: "Нет в наличии" })).toBe(200);
    expect(await events()).toContainEqual({ type: "tool-output-error", toolCallId: "c1", errorText: "Нет в наличии" });
    expect(model.outcomes.get("c1")).toEqual({ type: "failed", errorText: "Нет в наличии" });
  });

  it("may answer null", async () => {
    const { outcomeOf, events, model } = await openWaiting([basket]);
    expect(await outcomeOf({ toolCallId: "c1", output: null })).toBe(200);
    await events();
    expect(model.outcomes.get("c1")).toEqual({ type: "output", output: null });
  });

  it("may answer a table of thousands of rows", async () => {
    const { outcomeOf, events, model } = await openWaiting([basket]);
    const row = { id: 7, sku: "cup", title: "Чашка", price: 900, count: 3, colour: "синяя" };
    const output = Array.from({ length: 5_000 }, () => row);
    expect(await outcomeOf({ toolCallId: "c1", output: Array(100_002).fill(7) })).toBe("400 bad_request");
    expect(await outcomeOf({ toolCallId: "c1", output })).toBe(200);
    await events();
    expect(model.outcomes.get("c1")).toEqual({ type: "output", output });
  });

  it("tells other readers that the visitor has allowed it, and keeps waiting", async () => {
    const { stream, outcomeOf, events } = await openWaiting([basket]);
    expect(await outcomeOf({ toolCallId: "c1", approved: true })).toBe(200);
    expect(await outcomeOf({ toolCallId: "c1", approved: true })).toBe(200);
    await eventually(() => expect(stream.text()).toContain("data-tool-approved"));
    expect(await outcomeOf({ toolCallId: "c1", output: 1 })).toBe(200);
    expect((await events()).slice(2, 5)).toEqual([
      request,
      { type: "data-tool-approved", data: { toolCallId: "c1" }, transient: true },
      { type: "tool-output-available", toolCallId: "c1", output: 1 },
    ]);
  });

  it("may be denied, which is final", async () => {
    const { outcomeOf, events, model } = await openWaiting([basket]);
    expect(await outcomeOf({ toolCallId: "c1", approved: false, reason: "Не надо" })).toBe(200);
    expect(await events()).toContainEqual({ type: "tool-output-denied", toolCallId: "c1" });
    expect(model.outcomes.get("c1")).toEqual({ type: "denied", reason: "Не надо" });
  });

  it("is run by the page that claims it first", async () => {
    const { outcomeOf } = await openWaiting([basket]);
    expect(await outcomeOf({ toolCallId: "c1", claim: "page-1" })).toBe(200);
    expect(await outcomeOf({ toolCallId: "c1", claim: "page-2" })).toBe("409 already_claimed");
    expect(await outcomeOf({ toolCallId: "c1", claim: "page-1" })).toBe(200);
    expect(await outcomeOf({ toolCallId: "c1", output: 1 })).toBe(200);
  });

  it("fails when nobody answers in time, and later answers are too late", async () => {
    const second: ScriptedCall = { ...basket, toolCallId: "c9" };
    const { stream, outcomeOf, events, model } = await openWaiting([basket, second], {
      project: { limits: { toolWaitMs: 40 } },
    });
    await events();
    expect(model.outcomes.get("c1")).toEqual({ type: "expired", waitedMs: 40 });
    expect(stream.text()).toContain("Готово");
    expect(await outcomeOf({ toolCallId: "c1", output: 1 })).toBe("404 not_found");
  });
});

describe("an approval", () => {
  const request = { type: "tool-approval-request", toolCallId: "c2", approvalId: "c2" };

  it("lets the tool run", async () => {
    const { events, outcomeOf } = await openWaiting([cancelOrder]);
    expect(await outcomeOf({ toolCallId: "c2", approved: true })).toBe(200);
    expect(await events()).toEqual([
      start,
      called(cancelOrder),
      request,
      { type: "data-tool-approved", data: { toolCallId: "c2" }, transient: true },
      { type: "tool-output-available", toolCallId: "c2", output: "ok" },
      ...said,
      finish,
      "[DONE]",
    ]);
  });

  it("is denied with a reason, and is in the stored answer", async () => {
    const { client, threadId, events, outcomeOf, model } = await openWaiting([cancelOrder]);
    expect(await outcomeOf({ toolCallId: "c2", approved: false, reason: "Передумал" })).toBe(200);
    expect((await events()).slice(2, 4)).toEqual([request, { type: "tool-output-denied", toolCallId: "c2" }]);
    expect(model.outcomes.get("c2")).toEqual({ type: "denied", reason: "Передумал" });
    expect((await client.messages(threadId)).at(-1)?.content).toMatchObject([
      { type: "tool-call", toolCallId: "c2", approval: "denied" },
      { type: "text" },
    ]);
  });

  it("counts as denied when nobody decides in time", async () => {
    const { events, model } = await openWaiting([cancelOrder], { project: { limits: { toolWaitMs: 40 } } });
    expect(await events()).toContainEqual({ type: "tool-output-denied", toolCallId: "c2" });
    expect(model.outcomes.get("c2")).toEqual({ type: "expired", waitedMs: 40 });
  });

  it.each([{ output: 1 }, { errorText: "a" }, { claim: "page-1" }])("does not accept %j", async (body) => {
    const { outcomeOf } = await openWaiting([cancelOrder]);
    expect(await outcomeOf({ toolCallId: "c2", ...body })).toBe("422 unprocessable");
    expect(await outcomeOf({ toolCallId: "c2", approved: true })).toBe(200);
  });
});

describe("calls that wait", () => {
  it("wait in parallel, and the first answer to each counts", async () => {
    const { outcomeOf, events, model } = await openWaiting([basket, cancelOrder]);
    expect(await outcomeOf({ toolCallId: "c2", approved: true })).toBe(200);
    expect(await outcomeOf({ toolCallId: "c2", approved: false })).toBe("409 already_answered");
    expect(await outcomeOf({ toolCallId: "c2", approved: true })).toBe("409 already_answered");
    expect(await outcomeOf({ toolCallId: "c1", output: 1 })).toBe(200);
    await events();
    expect([...model.outcomes]).toEqual([
      ["c2", { type: "approved" }],
      ["c1", { type: "output", output: 1 }],
    ]);
  });

  it("have exactly one winner for each of a hundred concurrent pairs of answers", async () => {
    const calls = Array.from({ length: 100 }, (_, n): ScriptedCall => ({ ...basket, toolCallId: `c${n}` }));
    const { outcomeOf, events, model } = await openWaiting(calls, { project: { limits: { requestsPerMinute: null } } });
    const results = await Promise.all(
      calls.map(({ toolCallId }, n) =>
        Promise.all([{ output: n }, { approved: false }].map(async (body) => outcomeOf({ toolCallId, ...body }))),
      ),
    );
    expect(results.map((pair) => pair.map(String).toSorted().join())).toEqual(
      calls.map(() => "200,409 already_answered"),
    );
    await events();
    for (const [n, { toolCallId }] of calls.entries()) {
      const outcome = results[n]?.[0] === 200 ? { type: "output", output: n } : { type: "denied" };
      expect(model.outcomes.get(toolCallId)).toEqual(outcome);
    }
  });

  it("let one page of many claim each call", async () => {
    const calls = Array.from({ length: 30 }, (_, n): ScriptedCall => ({ ...basket, toolCallId: `c${n}` }));
    const { outcomeOf } = await openWaiting(calls, { project: { limits: { requestsPerMinute: null } } });
    for (const { toolCallId } of calls) {
      const pages = await Promise.all(["a", "b", "c"].map((page) => outcomeOf({ toolCallId, claim: page })));
      expect(pages.map(String).toSorted()).toEqual(["200", "409 already_claimed", "409 already_claimed"]);
    }
  });

  it("end at once with a cancelled run, and an answer is too late", async () => {
    const { client, threadId, events, outcomeOf } = await openWaiting([basket, cancelOrder]);
    await client.post(`threads/${threadId}/run/cancel`, {});
    expect((await events()).slice(-2)).toEqual([{ type: "abort", reason: "cancelled" }, "[DONE]"]);
    expect(await outcomeOf({ toolCallId: "c1", output: 1 })).toBe("404 not_found");
  });

  it("end with an archived thread", async () => {
    const { client, threadId, events, outcomeOf } = await openWaiting([basket]);
    await client.post(`threads/${threadId}/archive`, {});
    expect((await events()).at(-2)).toEqual({ type: "abort", reason: "cancelled" });
    expect(await outcomeOf({ toolCallId: "c1", output: 1 })).toBe("404 not_found");
  });

  it("are requested again when a page rejoins", async () => {
    const { client, threadId, outcomeOf, stream } = await openWaiting([basket, cancelOrder]);
    const joined = tap(await client.join(threadId));
    await eventually(() => expect(joined.text()).toContain("tool-approval-request"));
    expect(joined.text()).toContain("data-tool-request");
    await outcomeOf({ toolCallId: "c1", output: 1 });
    await outcomeOf({ toolCallId: "c2", approved: true });
    await Promise.all([joined.done, stream.done]);
    expect(parseFrames(joined.text()).map(({ data }) => data)).toEqual(
      parseFrames(stream.text()).map(({ data }) => data),
    );
  });

  it("are answered only by their own visitor", async () => {
    const { visitor, threadId } = await openWaiting([basket]);
    const other = await visitor();
    expect(await refusalOf(await other.post(`threads/${threadId}/run/tool`, { toolCallId: "c1", output: 1 }))).toBe(
      "404 not_found",
    );
  });

  it("are parked with their run when the server closes", async () => {
    const { server, storage, client, threadId, events } = await openWaiting([basket]);
    await server.close();
    expect((await events()).at(-2)).toMatchObject({ type: "error" });
    const visitorId = client.cookie?.split("=")[1]?.split(".")[0] ?? "";
    const stored = await storage.messages.read({ projectId: "default", visitorId }, threadId, ["q1"]);
    expect(stored).toHaveLength(1);
    expect(await storage.runs.countRunning({ projectId: "default", visitorId })).toBe(0);
  });
});

describe("the figures of waiting calls", () => {
  it("are counted while they wait, and by their outcome", async () => {
    const { client, outcomeOf, events } = await openWaiting([basket, cancelOrder]);
    const lines = async () => (await (await client.get("/metrics")).text()).match(/^nitka_visitor_calls_.*/gm);
    expect(await lines()).toEqual(["nitka_visitor_calls_waiting 2"]);
    await outcomeOf({ toolCallId: "c1", output: 1 });
    await outcomeOf({ toolCallId: "c2", approved: false });
    await events();
    expect(await lines()).toEqual([
      'nitka_visitor_calls_total{project="default",kind="page",outcome="output"} 1',
      'nitka_visitor_calls_total{project="default",kind="approval",outcome="denied"} 1',
      "nitka_visitor_calls_waiting 0",
    ]);
  });
});

describe("POST …/run/tool", () => {
  const shape = "must be a toolCallId with one of these: output;";

  it.each([
    ["nothing", {}, shape],
    ["no answer", { toolCallId: "c1" }, shape],
    ["two answers", { toolCallId: "c1", output: 1, errorText: "a" }, shape],
    ["an approval that is no boolean", { toolCallId: "c1", approved: "yes" }, shape],
    [
      "a reason that is too long",
      { toolCallId: "c1", approved: false, reason: "a".repeat(2_001) },
      "reason: must be at most 2000 characters",
    ],
    ["a claim that is no id", { toolCallId: "c1", claim: "a b" }, "claim: must be 1 to 128 visible ASCII characters"],
    ["an id that is no text", { toolCallId: 7, output: 1 }, shape],
    ["a list", [], shape],
  ])("refuses %s", async (_, body, message) => {
    const { outcomeOf, post } = await openWaiting([basket]);
    expect(await outcomeOf(body)).toBe("422 unprocessable");
    const { error } = (await (await post(body)).json()) as { readonly error: { readonly message: string } };
    expect(error.message).toContain(message);
  });

  it("refuses an output that is too large, and an unknown call", async () => {
    const { outcomeOf } = await openWaiting([basket]);
    expect(await outcomeOf({ toolCallId: "c1", output: "a".repeat(1_000_000) })).toBe("413 payload_too_large");
    expect(await outcomeOf({ toolCallId: "c7", output: 1 })).toBe("404 not_found");
    expect(await outcomeOf({ toolCallId: "c1", output: "a".repeat(900_000) })).toBe(200);
  });

  it("accepts no call in a thread without a run", async () => {
    const { client, threadId } = await openThread();
    const response = await client.post(`threads/${threadId}/run/tool`, { toolCallId: "c1", output: 1 });
    expect(await refusalOf(response)).toBe("404 not_found");
  });
});

describe("tools that a page declares", () => {
  const parameters = { type: "object", properties: { sku: { type: "string" } } };
  const tool = { name: "add_to_basket", description: "Adds goods", parameters };

  it.each([
    ["a tool twice", [tool, tool], 'the tool "add_to_basket" is declared twice'],
    ["a bad name", [{ ...tool, name: "add to basket" }], "tools.0.name: must be 1 to 64 of the characters"],
    ["33 tools", Array.from({ length: 33 }, (_, n) => ({ ...tool, name: `t${n}` })), "tools: must be at most 32"],
    ["a schema that is none", [{ ...tool, parameters: { type: "object", properties: { sku: 7 } } }], "properties.sku"],
    ["a schema of a text", [{ ...tool, parameters: { type: "string" } }], 'type must be "object"'],
    ["no schema", [{ name: "a", description: "b" }], "tools.0.parameters"],
    ["more than a model can be sent", [{ ...tool, description: "a".repeat(100_000) }], "more than 100000 characters"],
    ["a name of the server's own", [{ ...tool, name: "search" }], "has the name of a tool of the server"],
  ])("refuses %s", async (_, tools, message) => {
    const model = { ...createCallingModel([]), toolNames: () => ["search"] };
    const { visitor } = await open({ model });
    const client = await visitor();
    const response = await client.ask(await client.newThread(), { id: "q1" }, { tools });
    expect(response.status).toBe(422);
    expect(JSON.stringify(await response.json()).replaceAll(String.raw`\"`, '"')).toContain(message);
  });

  it("reach the model of the question that declares them, and no other", async () => {
    const model = createCallingModel([]);
    const { client, threadId } = await openThread({ model });
    await eventsOf(await client.ask(threadId, { id: "q1" }, { tools: [tool] }));
    await eventsOf(await client.ask(threadId, { id: "q2" }));
    expect(model.requests.map(({ visitor: { tools } }) => tools)).toEqual([[tool], []]);
  });
});
