import { describe, expect, it } from "vitest";
import type { Storage } from "../storage/storage.ts";
import { createCallingModel } from "./calling-model.contract.ts";
import type { ScriptedCall } from "./calling-model.contract.ts";
import { eventually } from "../test-waits/eventually.contract.ts";
import { Client, eventsOf, parseFrames, refusalOf, serverOpener, tap } from "./server.contract.ts";
import type { OpenOptions } from "./server.contract.ts";
import type { TwoStorages } from "./instances.contract.ts";

const page = (toolCallId: string): ScriptedCall => ({ kind: "page", toolCallId, toolName: "buy", input: {} });
const approval = (toolCallId: string): ScriptedCall => ({ ...page(toolCallId), kind: "approval" });

/** The contract of tool calls that wait for the visitor on one instance and are answered on the other. */
export function instanceCallsContract(openStorages: () => Promise<TwoStorages>): void {
  const open = serverOpener();

  /** Calls that wait on instance a. `onA` and `onB` answer them on either instance. */
  async function openWaiting(
    calls: readonly ScriptedCall[],
    { heard = (storage) => storage, ...options }: OpenOptions & { readonly heard?: (here: Storage) => Storage } = {},
  ) {
    const { here, there } = await openStorages();
    const model = createCallingModel(calls);
    const project = { limits: { requestsPerMinute: null } };
    const a = await open({ model, project, ...options, storage: heard(here), instanceId: "a" });
    const b = await open({ model, project, ...options, storage: there, instanceId: "b" });
    const client = await a.visitor();
    const threadId = await client.newThread();
    const stream = tap(await client.ask(threadId, { id: "q1" }, {}, "?cursor=1"));
    await eventually(() => expect(stream.text().match(/approval-request|tool-request/g)).toHaveLength(calls.length));
    const answerBy = (who: Client) => async (body: object) => {
      const response = await who.post(`threads/${threadId}/run/tool`, body);
      return response.status === 200 ? "200" : refusalOf(response);
    };
    const other = new Client(b.server, "default", client.cookie);
    return { model, stream, threadId, client, other, onA: answerBy(client), onB: answerBy(other), here, there };
  }

  describe("tool calls that wait on one instance", () => {
    it("are answered on the other instance, whose readers see them too", async () => {
      const { other, threadId, onB, model, stream } = await openWaiting([page("c1"), approval("c2")]);
      const joined = tap(await other.join(threadId));
      await eventually(() => expect(joined.text()).toContain("tool-approval-request"));
      expect(await onB({ toolCallId: "c2", approved: false, reason: "Нет" })).toBe("200");
      expect(await onB({ toolCallId: "c1", claim: "page-b" })).toBe("200");
      expect(await onB({ toolCallId: "c1", approved: true })).toBe("200");
      await eventually(() => expect(joined.text()).toContain("data-tool-approved"));
      expect(await onB({ toolCallId: "c1", output: 7 })).toBe("200");
      await Promise.all([joined.done, stream.done]);
      expect(Object.fromEntries(model.outcomes)).toEqual({
        c1: { type: "output", output: 7 },
        c2: { type: "denied", reason: "Нет" },
      });
      expect(joined.text()).toBe(stream.text());
    });

    it("accept the first of two concurrent answers on both instances, in a hundred rounds", async () => {
      const calls = Array.from({ length: 100 }, (_, n) => page(`c${n}`));
      const { onA, onB, model, stream } = await openWaiting(calls);
      for (const [n, { toolCallId }] of calls.entries()) {
        const both = await Promise.all([onA({ toolCallId, output: n }), onB({ toolCallId, errorText: `${n}` })]);
        expect(both.toSorted()).toEqual(["200", "409 already_answered"]);
        await eventually(() =>
          expect(model.outcomes.get(toolCallId)).toEqual(
            both[0] === "200" ? { type: "output", output: n } : { type: "failed", errorText: `${n}` },
          ),
        );
      }
      await stream.done;
    });

    it("are run by one of two pages that claim them on both instances at once", async () => {
      const calls = Array.from({ length: 30 }, (_, n) => page(`c${n}`));
      const { onA, onB } = await openWaiting(calls);
      for (const { toolCallId } of calls) {
        const both = await Promise.all([onA({ toolCallId, claim: "a" }), onB({ toolCallId, claim: "b" })]);
        expect(both.toSorted()).toEqual(["200", "409 already_claimed"]);
      }
    });

    it("end once when they time out on one instance while the answer arrives on the other, in thirty rounds", async () => {
      const calls = Array.from({ length: 30 }, (_, n) => page(`c${n}`));
      const { onB, here, model, stream } = await openWaiting(calls);
      const runId = parseFrames(stream.text())[0]?.id?.split(":")[0] ?? "";
      for (const { toolCallId } of calls) {
        const [isLate, told] = await Promise.all([
          // As the timer on the run's instance does.
          here.awaitedCalls.decide({ runId, toolCallId }, { type: "expired" }, { at: new Date().toISOString() }),
          onB({ toolCallId, output: 7 }),
        ]);
        expect(told).toBe(isLate ? "409 already_answered" : "200");
        await eventually(() => expect(model.outcomes.get(toolCallId)?.type).toBe(isLate ? "expired" : "output"));
      }
      await stream.done;
    });

    it("are found by the heartbeat when the notification of their answer is lost", async () => {
      const lost: string[] = [];
      const deaf = (here: Storage): Storage => ({
        ...here,
        signals: {
          ...here.signals,
          subscribe: (listener) =>
            here.signals.subscribe((signal) => {
              if (signal.type === "answered" && lost.length === 0) lost.push(signal.runId);
              else listener(signal);
            }),
        },
      });
      const { onB, model, stream } = await openWaiting([page("c1")], { heard: deaf, timings: { heartbeatMs: 50 } });
      expect(await onB({ toolCallId: "c1", output: 7 })).toBe("200");
      await stream.done;
      expect([lost.length, model.outcomes.get("c1")]).toEqual([1, { type: "output", output: 7 }]);
    });

    it("end at once when their run is cancelled on the other instance", async () => {
      const { other, threadId, onA, onB, stream } = await openWaiting([page("c1")]);
      expect(await (await other.post(`threads/${threadId}/run/cancel`, {})).json()).toEqual({ cancelled: true });
      await stream.done;
      expect(stream.text()).toContain('"abort"');
      expect([await onA({ toolCallId: "c1", output: 1 }), await onB({ toolCallId: "c1", output: 1 })]).toEqual([
        "404 not_found",
        "404 not_found",
      ]);
    });

    it("are interrupted with their run when their instance has died, and a late answer changes nothing", async () => {
      const { here, there } = await openStorages();
      const model = createCallingModel([]);
      const b = await open({ model, storage: there, instanceId: "b", timings: { heartbeatMs: 50, staleMs: 2_000 } });
      const client = await b.visitor();
      const threadId = await client.newThread();
      const owner = { projectId: "default", visitorId: client.cookie?.split("=")[1]?.split(".")[0] ?? "" };
      const at = new Date().toISOString();
      const record = { runId: "lost", threadId, questionId: "q1", answerId: "a1", instanceId: "dead" };
      const question = { id: "q1", role: "user", content: "Купи", parentId: null } as const;
      await here.runs.begin(owner, record, question, { regenerate: false, at });
      await here.events.append([
        { runId: "lost", seq: 1, data: '{"type":"start","messageId":"a1"}' },
        {
          runId: "lost",
          seq: 2,
          data: '{"type":"tool-input-available","toolCallId":"c1","toolName":"buy","input":{}}',
        },
      ]);
      await here.awaitedCalls.add({ runId: "lost", toolCallId: "c1", toolName: "buy", kind: "page", askedAt: at });
      const joined = await client.join(threadId);
      const post = () => client.post(`threads/${threadId}/run/tool`, { toolCallId: "c1", output: 1 });
      expect((await post()).status).toBe(200);
      expect((await eventsOf(joined)).at(-2)).toMatchObject({ type: "error" });
      expect(await refusalOf(await post())).toBe("404 not_found");
      expect((await client.messages(threadId)).at(-1)).toMatchObject({
        status: { type: "incomplete", reason: "interrupted" },
        content: [{ type: "tool-call", toolCallId: "c1" }],
      });
      expect((await eventsOf(await client.ask(threadId, { id: "q2" }))).at(-1)).toBe("[DONE]");
    });
  });
}
