import { describe, expect, it } from "vitest";
import type { StreamEvent } from "@nitka/protocol";
import { applyEvent } from "@nitka/protocol/apply-event";
import { beginAnswer } from "@nitka/protocol/begin-answer";
import { parseStreamEvent } from "@nitka/protocol/stream-event";
import { eventually } from "../test-waits/eventually.contract.ts";
import { createHeldModel } from "../contract/held-model.contract.ts";
import { ownerOf } from "../contract/instances.contract.ts";
import { eventsOf, framesOf, parseFrames, serverOpener, tap } from "../contract/server.contract.ts";
import { finish, threadOpener } from "../contract/thread.contract.ts";
import type { ToolViews } from "../services/tools/tool-views.ts";
import { openSqliteStorage } from "../storage/sqlite.ts";
import { visitorExport } from "../services/threads/visitor-export.ts";

const { openHeld } = threadOpener();
const open = serverOpener();

const toolViews: ToolViews = { shown: "all", args: "args", named: "name", hidden: "hidden" };

const names = ["shown", "args", "named", "hidden", "other"];

/** A call of each tool, and one that fails. */
const calls: readonly StreamEvent[] = [
  ...names.map((name) => [name, name] as const),
  ["args2", "args"] as const,
].flatMap(([toolCallId, toolName]): readonly StreamEvent[] => [
  { type: "tool-input-start", toolCallId, toolName },
  { type: "tool-input-delta", toolCallId, inputTextDelta: '{"secret":' },
  { type: "tool-input-delta", toolCallId, inputTextDelta: "1}" },
  { type: "tool-input-available", toolCallId, toolName, input: { secret: 1 } },
  toolCallId === "args2"
    ? { type: "tool-output-error", toolCallId, errorText: "secret 3" }
    : { type: "tool-output-available", toolCallId, output: { secret: 2 } },
]);

const whole = (toolName: string) => ({
  type: "tool-call",
  toolCallId: toolName,
  toolName,
  argsText: '{"secret":1}',
  args: { secret: 1 },
  result: { secret: 2 },
});

const shownParts = [
  whole("shown"),
  { ...whole("args"), result: null },
  { type: "tool-call", toolCallId: "named", toolName: "named", argsText: "{}", args: {}, result: null },
  whole("other"),
  { ...whole("args"), toolCallId: "args2", result: "", isError: true },
  { type: "text", text: "Да" },
];

/** The message that a client shows for these events. */
function foldedOf(events: readonly unknown[]) {
  const read = events.flatMap((event) => parseStreamEvent(JSON.stringify(event)) ?? []);
  return read.reduce(applyEvent, beginAnswer("a1")).message.content;
}

describe("a project's toolViews", () => {
  it("apply to the stream, rejoins, replays, the history of a running and of an ended answer, and exports", async () => {
    const { client, threadId, model, storage } = await openHeld(undefined, { project: { toolViews } });
    const stream = tap(await client.ask(threadId, { id: "q1" }, {}, "?cursor=1"));
    await model.asked(1);
    model.say(...calls);
    await eventually(() => expect(stream.text()).toContain("args2"));
    const running = await client.messages(threadId);
    const joined = await client.join(threadId);
    const halfway = parseFrames(stream.text())[6]?.id ?? "";
    const rejoined = await client.join(threadId, `?after=${halfway}`);
    finish(model);
    await stream.done;
    const frames = parseFrames(stream.text());
    expect(foldedOf(frames.map(({ data }) => data))).toEqual(shownParts);
    expect(running.at(-1)?.content).toEqual(shownParts.slice(0, -1));
    expect(await framesOf(joined)).toEqual(frames);
    expect(await framesOf(rejoined)).toEqual(frames.slice(7));
    expect((await client.messages(threadId)).at(-1)?.content).toEqual(shownParts);
    const replayed = await eventsOf(await client.ask(threadId, { id: "q1" }));
    expect(foldedOf(replayed)).toEqual(shownParts);
    let exported = "";
    for await (const text of visitorExport(storage, ownerOf(client), { toolViews })) exported += text;
    const { threads } = JSON.parse(exported) as { readonly threads: readonly { readonly messages: unknown }[] };
    expect(threads[0]?.messages).toMatchObject([{}, { content: shownParts }]);
    const everything = JSON.stringify([frames, running, replayed]) + exported;
    expect(everything).not.toMatch(/hidden|secret 3|"view"/);
  });

  it("hide nothing from the model and from the storage", async () => {
    const { client, threadId, model, storage } = await openHeld(undefined, { project: { toolViews } });
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    model.say(...calls);
    finish(model);
    await eventsOf(stream);
    await client.ask(threadId, { id: "q2" });
    await model.asked(2);
    const told = model.requests[1]?.history[1]?.content;
    expect(told).toContainEqual(whole("hidden"));
    const answerId = (await client.messages(threadId))[1]?.id ?? "";
    expect((await storage.messages.find(ownerOf(client), threadId, answerId))?.content).toEqual(told);
  });

  it("show only the name of a hidden call that asks for approval, from then on", async () => {
    const { client, threadId, model } = await openHeld(undefined, { project: { toolViews } });
    const stream = tap(await client.ask(threadId, { id: "q1" }, {}, "?cursor=1"));
    await model.asked(1);
    const asked: readonly StreamEvent[] = [
      { type: "tool-input-start", toolCallId: "c1", toolName: "hidden" },
      { type: "tool-input-available", toolCallId: "c1", toolName: "hidden", input: { secret: 1 } },
      { type: "tool-approval-request", toolCallId: "c1", approvalId: "c1" },
      { type: "data-tool-approved", toolCallId: "c1" },
      { type: "tool-output-available", toolCallId: "c1", output: "secret" },
    ];
    model.say(...asked);
    finish(model);
    await stream.done;
    const frames = parseFrames(stream.text());
    expect(frames.slice(1, 5)).toEqual([
      { data: { type: "tool-input-available", toolCallId: "c1", toolName: "hidden", input: {} } },
      { id: expect.stringMatching(/:4$/), data: { type: "tool-approval-request", toolCallId: "c1", approvalId: "c1" } },
      {
        id: expect.stringMatching(/:5$/),
        data: { type: "data-tool-approved", data: { toolCallId: "c1" }, transient: true },
      },
      { id: expect.stringMatching(/:6$/), data: { type: "tool-output-available", toolCallId: "c1", output: null } },
    ]);
    const content = [
      {
        type: "tool-call",
        toolCallId: "c1",
        toolName: "hidden",
        argsText: "{}",
        args: {},
        approval: "approved",
        result: null,
      },
      { type: "text", text: "Да" },
    ];
    expect(foldedOf(frames.map(({ data }) => data))).toEqual(content);
    expect((await client.messages(threadId)).at(-1)?.content).toEqual(content);
  });

  it("leave the request to the page complete, since the page runs the tool", async () => {
    const { client, threadId, model } = await openHeld(undefined, { project: { toolViews } });
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    model.say({ type: "data-tool-request", toolCallId: "c1", toolName: "hidden", input: { sum: 1 } });
    finish(model);
    expect(await eventsOf(stream)).toContainEqual({
      type: "data-tool-request",
      data: { toolCallId: "c1", toolName: "hidden", input: { sum: 1 } },
    });
  });

  it("change nothing in the log of a project that shows everything", async () => {
    const logged: string[] = [];
    const model = createHeldModel();
    const storage = await openSqliteStorage({ path: ":memory:" });
    const end: typeof storage.runs.end = (runId, answer, at, options) => {
      logged.push(...(options?.log?.tail ?? []).map(({ data }) => data));
      return storage.runs.end(runId, answer, at, options);
    };
    const opened = await open({
      model,
      project: { toolViews: { shown: "all" } },
      storage: { ...storage, runs: { ...storage.runs, end } },
    });
    const client = await opened.visitor();
    const threadId = await client.newThread();
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    model.say(...calls);
    finish(model);
    await eventsOf(stream);
    expect(logged.join("")).toContain("tool-output-available");
    expect(logged.join("")).not.toContain('"view"');
  });
});
