import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { eventually } from "../test-waits/eventually.contract.ts";
import { webhookReceivers, webhookSecret } from "./webhook-receiver.contract.ts";
import { createHeldModel } from "./held-model.contract.ts";
import { Client, eventsOf, framesOf, parseFrames, refusalOf, seqOf, serverOpener, tap } from "./server.contract.ts";
import type { OpenOptions } from "./server.contract.ts";
import { wordsOf } from "./thread.contract.ts";
import { exportOf } from "../storage/contract/fixture.contract.ts";
import type { Storage } from "../storage/storage.ts";

/** The storages of two instances on one database. */
export interface TwoStorages {
  readonly here: Storage;
  readonly there: Storage;
  /** Deletes the event logs of all runs. */
  readonly loseLogs: () => Promise<void>;
}

/** The contract of two instances of the server on one database. */
export function instancesContract(openStorages: () => Promise<TwoStorages>): void {
  const open = serverOpener();
  const startReceiver = webhookReceivers();

  async function openTwo(options: OpenOptions = {}) {
    const { here, there, loseLogs } = await openStorages();
    const model = createHeldModel({ title: async () => "Название" });
    const a = await open({ model, ...options, storage: here, instanceId: "a" });
    const b = await open({ model, ...options, storage: there, instanceId: "b" });
    const onA = await a.visitor();
    const onB = new Client(b.server, "default", onA.cookie);
    const threadId = await onA.newThread();
    return { a, b, onA, onB, threadId, model, here, there, loseLogs };
  }

  describe("two instances", () => {
    it("have the same threads, and refuse the same second question", async () => {
      const { onA, onB, threadId, model } = await openTwo();
      await onA.ask(threadId, { id: "q1" });
      await model.asked(1);
      expect((await onB.threads()).map((thread) => thread.threadId)).toEqual([threadId]);
      expect(await refusalOf(await onB.ask(threadId, { id: "q2" }))).toBe("409 run_in_progress");
    });

    it("consider each other alive however much their clocks differ", async () => {
      const { here, there } = await openStorages();
      const model = createHeldModel();
      const timings = { heartbeatMs: 50, staleMs: 1_000 };
      const clockOff = (minutes: number) => () => new Date(Date.now() + minutes * 60_000);
      /** When each instance last began to look for stale runs. */
      const looks = { a: 0, b: 0 };
      const counted = (storage: Storage, instance: keyof typeof looks): Storage => ({
        ...storage,
        runs: {
          ...storage.runs,
          interruptStale: async (...args) => {
            const begun = performance.now();
            const interrupted = await storage.runs.interruptStale(...args);
            looks[instance] = begun;
            return interrupted;
          },
        },
      });
      const a = await open({ model, storage: counted(here, "a"), instanceId: "a", timings, clock: clockOff(-10) });
      const b = await open({ model, storage: counted(there, "b"), instanceId: "b", timings, clock: clockOff(10) });
      const onA = await a.visitor();
      const threadId = await onA.newThread();
      const asked = await onA.ask(threadId, { id: "q1" });
      await model.asked(1);
      // Before this age no run is stale.
      const oldEnough = performance.now() + timings.staleMs;
      await expect.poll(() => Math.min(looks.a, looks.b)).toBeGreaterThan(oldEnough);
      expect([...a.log, ...b.log].filter(({ text }) => text === "a run was interrupted")).toEqual([]);
      model.write("Да");
      model.end();
      expect((await eventsOf(asked)).slice(-2)).toEqual([{ type: "finish", finishReason: "stop" }, "[DONE]"]);
    });

    it("serve a file of one instance's model from the other, at its address", async () => {
      const { onA, onB, threadId, model } = await openTwo();
      const asked = tap(await onA.ask(threadId, { id: "q1" }));
      await model.asked(1);
      model.say({
        type: "file",
        url: `data:text/plain;base64,${Buffer.from("Да").toString("base64")}`,
        mediaType: "text/plain",
      });
      await expect.poll(asked.text).toContain("api/debug/attachments/");
      const joined = tap(await onB.join(threadId));
      await expect.poll(joined.text).toContain("api/debug/attachments/");
      const url = /api\/debug\/attachments\/\w+/.exec(joined.text())?.[0] ?? "";
      expect(await (await onB.get(`/${url}`)).text()).toBe("Да");
      model.end();
      await joined.done;
      expect([joined.text().includes("base64"), asked.text().includes(url)]).toEqual([false, true]);
    });

    it("show a run of one instance on the other: every event once and in order, its title and its end", async () => {
      const { onA, onB, threadId, model } = await openTwo();
      const asked = await onA.ask(threadId, { id: "q1" }, {}, "?cursor=1");
      await model.asked(1);
      model.write("0");
      const joined = await onB.join(threadId);
      for (let n = 1; n < 50; n += 1) model.write(`${n} `);
      model.end();
      expect(await joined.text()).toBe(await asked.text());
    });

    it("both send a title that comes after the end", async () => {
      const title = Promise.withResolvers<string>();
      const model = createHeldModel({ title: () => title.promise });
      const { onA, onB, threadId } = await openTwo({ model, timings: { titleBeforeFinishMs: 20, titleMs: 5_000 } });
      const asked = await onA.ask(threadId, { id: "q1" });
      await model.asked(1);
      const joined = tap(await onB.join(threadId));
      model.write("Да");
      model.end();
      await eventually(() => expect(joined.text()).toContain('"finish"'));
      title.resolve("Поздний");
      await joined.done;
      const told = { type: "data-title", data: { title: "Поздний" }, transient: true };
      expect((await eventsOf(asked)).slice(-2)).toEqual([told, "[DONE]"]);
      expect(parseFrames(joined.text()).slice(-2)).toMatchObject([{ data: told }, { data: "[DONE]" }]);
    });

    it("both send the suggestions, and store them", async () => {
      const suggestions = [{ title: "Дальше", prompt: "Что дальше?" }];
      const asking = Promise.withResolvers<typeof suggestions>();
      const model = Object.assign(createHeldModel(), { suggest: () => asking.promise });
      const { onA, onB, threadId } = await openTwo({ model, project: { followUps: true } });
      const asked = await onA.ask(threadId, { id: "q1" });
      await model.asked(1);
      const joined = tap(await onB.join(threadId));
      model.write("Да");
      model.end();
      await eventually(() => expect(joined.text()).toContain('"finish"'));
      asking.resolve(suggestions);
      await joined.done;
      const told = { type: "data-suggestions", data: { suggestions } };
      expect(await eventsOf(asked)).toContainEqual(told);
      expect(parseFrames(joined.text()).map(({ data }) => data)).toContainEqual(told);
      expect((await onB.messages(threadId)).at(-1)).toMatchObject({ suggestions });
    });

    it("hide the same parts of tool calls on the other instance as on the run's own", async () => {
      const { onA, onB, threadId, model } = await openTwo({ project: { toolViews: { stock: "name" } } });
      const asked = tap(await onA.ask(threadId, { id: "q1" }, {}, "?cursor=1"));
      await model.asked(1);
      const toolCallId = "c1";
      model.say({ type: "tool-input-available", toolCallId, toolName: "stock", input: { secret: 1 } });
      await eventually(() => expect(asked.text()).toContain("stock"));
      const joined = tap(await onB.join(threadId));
      const [, called] = parseFrames(asked.text());
      const later = tap(await onB.join(threadId, `?after=${called?.id}`));
      model.say({ type: "tool-output-available", toolCallId, output: "secret" });
      model.write("Да");
      model.end();
      await Promise.all([asked.done, joined.done, later.done]);
      expect(joined.text()).toBe(asked.text());
      expect(asked.text()).toContain('{"type":"tool-output-available","toolCallId":"c1","output":null}');
      expect(asked.text()).not.toMatch(/secret|"view"/);
      expect(parseFrames(later.text())).toEqual(parseFrames(asked.text()).slice(2));
      expect(JSON.stringify(await onB.messages(threadId))).not.toContain("secret");
    });

    it("send only the later events to a reader that sends its last event id", async () => {
      const { onA, onB, threadId, model } = await openTwo();
      const first = tap(await onA.ask(threadId, { id: "q1" }, {}, "?cursor=1"));
      await model.asked(1);
      for (const word of ["раз", "два", "три"]) model.write(word);
      await eventually(() => expect(first.text()).toContain("три"));
      const joined = await onB.join(threadId, `?after=${parseFrames(first.text())[2]?.id}`);
      model.end();
      expect((await framesOf(joined)).map(seqOf)).toEqual([4, 5, 6, undefined]);
    });

    it("cut off a reader of a run whose log is lost, so that it reads the stored answer", async () => {
      const { onA, onB, threadId, model, there, loseLogs } = await openTwo();
      const asked = tap(await onA.ask(threadId, { id: "q1" }, {}, "?cursor=1"));
      await model.asked(1);
      for (const word of ["раз ", "два "]) model.write(word);
      const runId = await eventually(async () => {
        const [first, ...others] = parseFrames(asked.text());
        const run = first?.id?.split(":")[0] ?? "";
        expect([others.length > 0, await there.events.read(run, 2)]).toEqual([true, [expect.anything()]]);
        return run;
      });
      await loseLogs();
      const joined = tap(await onB.join(threadId));
      model.write("три");
      model.end();
      await asked.done;
      await expect(joined.done).rejects.toThrow("The reader was too slow, or the server");
      expect(parseFrames(joined.text())).toEqual([]);
      expect((await onB.join(threadId, `?after=${runId}:1`)).status).toBe(204);
      expect((await onB.messages(threadId)).map(({ content }) => wordsOf(content)).at(-1)).toBe("раз два три");
    });

    it("respond with 204 to the id of an earlier run while another run is in progress elsewhere", async () => {
      const { onA, onB, threadId, model } = await openTwo();
      const asked = onA.ask(threadId, { id: "q1" }, {}, "?cursor=1");
      await model.asked(1);
      model.write("раз");
      model.end();
      const [stale] = await framesOf(await asked);
      await onA.ask(threadId, { id: "q2" });
      await model.asked(2);
      expect((await onB.join(threadId, `?after=${stale?.id}`)).status).toBe(204);
    });

    it("join the question's run when the question is posted again on either instance", async () => {
      const { onA, onB, threadId, model } = await openTwo();
      const first = await onA.ask(threadId, { id: "q1" });
      await model.asked(1);
      const second = await onB.ask(threadId, { id: "q1" });
      model.write("Да");
      model.end();
      expect(await second.text()).toBe(await first.text());
      expect(model.requests).toHaveLength(1);
    });

    it("begin one run when the same question reaches both at once", async () => {
      const { onA, onB, threadId, model } = await openTwo();
      const streams = await Promise.all([onA.ask(threadId, { id: "q1" }), onB.ask(threadId, { id: "q1" })]);
      await model.asked(1);
      model.write("Да");
      model.end();
      const [first, second] = await Promise.all(streams.map((stream) => stream.text()));
      expect([second, model.requests.length, (await onA.messages(threadId)).length]).toEqual([first, 1, 2]);
    });

    it("begin one run when the same question reaches the other instance while the first one reads its thread", async () => {
      const { onA, threadId, model, there } = await openTwo();
      const earlier = await onA.ask(threadId, { id: "q0" });
      await model.asked(1);
      model.write("Да");
      model.end();
      await earlier.text();
      const [looking, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const tree: Storage["messages"]["tree"] = async (owner, id) => {
        looking.resolve();
        await begun.promise;
        return await there.messages.tree(owner, id);
      };
      const late = await open({ model, storage: { ...there, messages: { ...there.messages, tree } }, instanceId: "b" });
      const second = new Client(late.server, "default", onA.cookie).ask(threadId, { id: "q1" });
      await looking.promise;
      const first = await onA.ask(threadId, { id: "q1" });
      await model.asked(2);
      begun.resolve();
      const joined = await second;
      model.write("Да");
      model.end();
      expect(await joined.text()).toBe(await first.text());
      expect(model.requests).toHaveLength(2);
    });

    it("stop a run of one instance from the other, and keep its text", async () => {
      const { onA, onB, threadId, model } = await openTwo();
      const stream = tap(await onA.ask(threadId, { id: "q1" }));
      await model.asked(1);
      model.write("Нача");
      await eventually(() => expect(stream.text()).toContain("Нача"));
      expect(await (await onB.post(`threads/${threadId}/run/cancel`, {})).json()).toEqual({ cancelled: true });
      await stream.done;
      expect(stream.text()).toContain('{"type":"abort","reason":"cancelled"}');
      const answer = (await onB.messages(threadId)).at(-1);
      expect([answer?.status, wordsOf(answer?.content)]).toEqual([{ type: "incomplete", reason: "cancelled" }, "Нача"]);
    });

    it("notify a webhook of an erasure, and then send no earlier events of the visitor, whatever has failed or hangs", async () => {
      const receiver = await startReceiver();
      let calls = 0;
      receiver.answer = ({ type }) => (type === "visitor.erased" ? 204 : (calls += 1) % 2 === 0 ? 500 : undefined);
      const { onA, onB } = await openTwo({
        project: { webhooks: [{ url: receiver.url, secret: webhookSecret }] },
        timings: { webhookMs: 300, webhookRetriesMs: [20] },
      });
      for (let n = 0; n < 4; n += 1) await onA.newThread();
      await eventually(() => expect(receiver.received.length).toBeGreaterThan(6));
      await onB.fetch("visitor", { method: "DELETE" });
      const types = () => receiver.received.map(({ type }) => type);
      await eventually(() => expect(types()).toContain("visitor.erased"));
      await sleep(1_000);
      expect(types().indexOf("visitor.erased")).toBe(types().length - 1);
    });

    it("stop a run of one instance when its thread is archived on the other", async () => {
      const { onA, onB, threadId, model } = await openTwo();
      const stream = await onA.ask(threadId, { id: "q1" });
      await model.asked(1);
      await onB.post(`threads/${threadId}/archive`, {});
      expect((await eventsOf(stream)).slice(-2)).toEqual([{ type: "abort", reason: "cancelled" }, "[DONE]"]);
    });

    it("end a claimed answer for its reader, also when the other instance has claimed its thread", async () => {
      const { onA, onB, threadId, model, there } = await openTwo();
      const asked = await onA.ask(threadId, { id: "q1" });
      await model.asked(1);
      const joined = await onB.join(threadId);
      model.write("Да");
      expect(await there.visitors.claim(ownerOf(onB), "host:7")).toBe(1);
      model.end();
      expect((await eventsOf(joined)).slice(-2)).toEqual([{ type: "finish", finishReason: "stop" }, "[DONE]"]);
      expect((await eventsOf(asked)).slice(-2)).toEqual([{ type: "finish", finishReason: "stop" }, "[DONE]"]);
      const named = { projectId: "default", visitorId: "host:7" };
      expect(await there.threads.find(named, threadId)).toMatchObject({ title: "Название" });
    });

    it("detect each other's death: the run is interrupted, its readers get the end, and its question can be asked again", async () => {
      const timings = { heartbeatMs: 50, staleMs: 600 };
      const { onB, threadId, model, there } = await openTwo({ timings });
      const owner = (await exportOf(there, ownerOf(onB))).threads[0];
      expect(owner?.threadId).toBe(threadId);
      await there.runs.begin(
        ownerOf(onB),
        { runId: "lost", threadId, questionId: "q1", answerId: "a1", instanceId: "dead" },
        { id: "q1", role: "user", content: "Привет", parentId: null },
        { regenerate: false, at: new Date().toISOString() },
      );
      await there.events.append([
        { runId: "lost", seq: 1, data: '{"type":"start","messageId":"a1"}' },
        { runId: "lost", seq: 2, data: '{"type":"text-delta","id":"t","delta":"Полсло"}' },
      ]);
      const joined = await onB.join(threadId);
      const errorText = "Ответ прервался: сервер остановился. Попробуйте ещё раз.";
      expect(await eventsOf(joined)).toEqual([
        { type: "start", messageId: "a1" },
        { type: "text-delta", id: "t", delta: "Полсло" },
        { type: "data-error", data: { code: "interrupted" }, transient: true },
        { type: "error", errorText },
        "[DONE]",
      ]);
      const answer = (await onB.messages(threadId)).at(-1);
      expect([answer?.status, wordsOf(answer?.content)]).toEqual([
        { type: "incomplete", reason: "interrupted" },
        "Полсло",
      ]);
      const again = await onB.ask(threadId, { id: "q1" }, { trigger: "regenerate-message" });
      await model.asked(1);
      model.write("Слово");
      model.end();
      expect((await eventsOf(again)).at(-1)).toBe("[DONE]");
    });
  });
}

export function ownerOf(client: Client) {
  return { projectId: "default", visitorId: client.cookie?.split("=")[1]?.split(".")[0] ?? "" };
}
