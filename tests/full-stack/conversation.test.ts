import type { Message } from "@nitka/protocol";
import { ModelError } from "@nitka/server";
import { saying } from "@nitka/server/testing";
import type { ScriptLine } from "@nitka/server/testing";
import { describe, expect, it } from "vitest";
import { createVisitor, openWidget, startServer } from "./chat.ts";

/** Answers «да, {question} #{n}», where n counts the answers from 1. */
function counting() {
  let times = 0;
  return (question: string): readonly ScriptLine[] => {
    times += 1;
    return saying("да, ", `${question} `, `#${times}`);
  };
}

describe("a conversation over the wire", () => {
  it("is answered, gets a title and is there again after a reload", async () => {
    await using server = await startServer(counting(), { title: "О погоде" });
    const fetch = createVisitor(server);
    const widget = await openWidget(fetch);
    await widget.ask("какая погода?");
    await widget.ask("а завтра?");
    expect(widget.lines()).toEqual([
      "user: какая погода? (1/1)",
      "assistant: да, какая погода? #1 (1/1)",
      "user: а завтра? (1/1)",
      "assistant: да, а завтра? #2 (1/1)",
    ]);
    expect(widget.logged).toEqual([]);
    await widget.until(() => widget.store.get().threads.items[0]?.title === "О погоде");

    const reloaded = await openWidget(fetch);
    expect(reloaded.threadId()).toBe(widget.threadId());
    expect(reloaded.lines()).toEqual(widget.lines());
    expect(reloaded.store.get().threads.items.map(({ title }) => title)).toEqual(["О погоде"]);
  });

  it("shows the stored messages field for field", async () => {
    await using server = await startServer(counting());
    const fetch = createVisitor(server);
    const widget = await openWidget(fetch);
    await widget.ask("раз");
    const stored = await widget.transport.listMessages(widget.threadId());
    const undated = (message: Message) => ({ ...message, createdAt: undefined });
    expect(widget.messages().map(undated)).toEqual(stored.map(undated));
  });

  it("is not readable by another visitor", async () => {
    await using server = await startServer(counting());
    const mine = await openWidget(createVisitor(server));
    await mine.ask("моё");
    const other = await openWidget(createVisitor(server));
    expect(other.lines()).toEqual([]);
    await expect(other.transport.listMessages(mine.threadId())).rejects.toThrow(/^HTTP 404 /);
  });
});

describe("branches", () => {
  it("are the same after a reload, and so is the shown branch", async () => {
    await using server = await startServer(counting());
    const fetch = createVisitor(server);
    const widget = await openWidget(fetch);
    const threadId = widget.threadId();
    await widget.ask("раз");
    const [question, answer] = widget.messages();
    widget.actions.regenerate(threadId, answer?.id ?? "");
    await widget.idle();
    widget.actions.beginEdit(threadId, question?.id ?? "");
    widget.actions.setEditDraft(threadId, "два");
    await widget.actions.submitEdit(threadId);
    await widget.idle();
    await widget.ask("дальше");
    expect(widget.lines()).toEqual([
      "user: два (2/2)",
      "assistant: да, два #3 (1/1)",
      "user: дальше (1/1)",
      "assistant: да, дальше #4 (1/1)",
    ]);
    const reloaded = await openWidget(fetch);
    expect(reloaded.lines()).toEqual(widget.lines());

    reloaded.actions.selectBranch(threadId, question?.id ?? "");
    expect(reloaded.lines()).toEqual(["user: раз (1/2)", "assistant: да, раз #2 (2/2)"]);
    await reloaded.transport.selectBranch?.(threadId, reloaded.messages().at(-1)?.id ?? "");
    const again = await openWidget(fetch);
    expect(again.lines()).toEqual(reloaded.lines());
  });

  it("are sent upstream only when they are shown", async () => {
    const asked: string[][] = [];
    const { createScriptedModel } = await import("@nitka/server/testing");
    const { textOf } = await import("@nitka/protocol/message");
    const model = createScriptedModel({
      script: ({ history }) => {
        asked.push(history.map((message) => `${message.role}: ${textOf(message)}`));
        return saying(`ответ ${asked.length}`);
      },
      title: "Название",
    });
    await using server = await startServer(() => [], { projects: { default: { models: [model] } } });
    const widget = await openWidget(createVisitor(server));
    const threadId = widget.threadId();
    await widget.ask("раз");
    widget.actions.regenerate(threadId, widget.messages()[1]?.id ?? "");
    await widget.idle();
    await widget.ask("два");
    expect(asked).toEqual([["user: раз"], ["user: раз"], ["user: раз", "assistant: ответ 2", "user: два"]]);
  });
});

describe("two clients of one visitor", () => {
  it("make two branches when both ask after the same message", async () => {
    await using server = await startServer(counting());
    const fetch = createVisitor(server);
    const first = await openWidget(fetch);
    await first.ask("начало");
    const second = await openWidget(fetch);
    await first.ask("из первого");
    await second.ask("из второго");
    const reloaded = await openWidget(fetch);
    expect(reloaded.lines()).toEqual([
      "user: начало (1/1)",
      "assistant: да, начало #1 (1/1)",
      "user: из второго (2/2)",
      "assistant: да, из второго #3 (1/1)",
    ]);
  });

  it("cannot ask at the same time: the second keeps its draft and shows the first one's run", async () => {
    await using server = await startServer(() => [
      { event: { type: "text-delta", delta: "долго " } },
      { silence: true },
    ]);
    const fetch = createVisitor(server);
    const first = await openWidget(fetch);
    const second = await openWidget(fetch, { address: first.threadId() });
    await first.actions.sendText(first.threadId(), "первый");
    await first.until(() => first.lines().some((line) => line.includes("долго")));
    second.actions.setDraft(second.threadId(), "второй");
    await second.actions.send(second.threadId());
    await second.until(() => second.lines().some((line) => line.includes("долго")));
    expect(second.lines()).toEqual(["user: первый (1/1)", "assistant: долго  (1/1)"]);
    expect(second.store.get().drafts[second.threadId()]?.text).toBe("второй");
    await second.actions.stop(second.threadId());
    await first.idle();
    await second.idle();
    expect(first.messages().at(-1)?.status).toEqual({ type: "incomplete", reason: "cancelled" });
    expect(second.messages().at(-1)?.status).toEqual({ type: "incomplete", reason: "cancelled" });
  });
});

it("a retry of a failed answer makes a sibling and keeps the failed answer", async () => {
  let times = 0;
  await using server = await startServer(() => {
    times += 1;
    const beginning: ScriptLine = { event: { type: "text-delta", delta: "начало" } };
    return times === 1
      ? [beginning, { error: new ModelError("upstream_unavailable", "модель ушла") }]
      : saying("готово");
  });
  const fetch = createVisitor(server);
  const widget = await openWidget(fetch);
  await widget.ask("вопрос");
  const failed = widget.messages().at(-1);
  expect(failed?.status).toMatchObject({ type: "incomplete", reason: "error" });
  await widget.actions.retry(widget.threadId(), failed?.id ?? "");
  await widget.idle();
  const lines = ["user: вопрос (1/1)", "assistant: готово (2/2)"];
  expect(widget.lines()).toEqual(lines);
  expect((await openWidget(fetch)).lines()).toEqual(lines);
});

it("a failed answer has its error code in the stream and after a reload", async () => {
  await using server = await startServer(() => [
    { event: { type: "text-delta", delta: "начало" } },
    { error: new ModelError("upstream_unavailable", "Сервис ушёл") },
  ]);
  const fetch = createVisitor(server);
  const widget = await openWidget(fetch);
  await widget.ask("вопрос");
  const status = { type: "incomplete", reason: "error", error: "Сервис ушёл", code: "upstream_unavailable" };
  expect(widget.messages().at(-1)?.status).toEqual(status);
  expect((await openWidget(fetch)).messages().at(-1)?.status).toEqual(status);
  expect(widget.logged).toEqual(["Upstream 200: Сервис ушёл"]);
});

it("an answer is interrupted when its server stops", async () => {
  const server = await startServer(() => [{ event: { type: "text-delta", delta: "начало" } }, { silence: true }]);
  const widget = await openWidget(createVisitor(server));
  await widget.actions.sendText(widget.threadId(), "вопрос");
  await widget.until(() => widget.lines().some((line) => line.includes("начало")));
  await server[Symbol.asyncDispose]();
  await widget.idle();
  expect(widget.messages().at(-1)?.status).toEqual({ type: "incomplete", reason: "interrupted" });
  expect(widget.logged).toEqual(["Upstream 200: interrupted"]);
});

it("a question begins one run even when the responses to its requests are lost", async () => {
  let runs = 0;
  await using server = await startServer((question) => {
    runs += 1;
    return saying(`на ${question}`);
  });
  const visitor = createVisitor(server);
  let responsesToLose = 2;
  const widget = await openWidget(async (input, init) => {
    const response = await visitor(input, init);
    if (!/run\/stream/.test(new Request(input, init).url) || responsesToLose === 0) return response;
    responsesToLose -= 1;
    await response.body?.cancel();
    throw new TypeError("fetch failed");
  });
  await widget.ask("вопрос");
  expect(widget.lines()).toEqual(["user: вопрос (1/1)", "assistant: на вопрос (1/1)"]);
  expect(runs).toBe(1);
  expect((await openWidget(visitor)).lines()).toEqual(widget.lines());
});

it("a thread can be archived during its run, and is gone then", async () => {
  await using server = await startServer(() => [{ event: { type: "text-delta", delta: "долго" } }, { silence: true }]);
  const fetch = createVisitor(server);
  const widget = await openWidget(fetch);
  const threadId = widget.threadId();
  await widget.actions.sendText(threadId, "вопрос");
  await widget.until(() => widget.lines().some((line) => line.includes("долго")));
  await widget.actions.archiveThread(threadId);
  await expect(widget.transport.listMessages(threadId)).rejects.toThrow(/^HTTP 404 /);
  expect(widget.threadId()).not.toBe(threadId);
  expect((await openWidget(fetch)).store.get().threads.items.map(({ threadId: id }) => id)).not.toContain(threadId);
});
