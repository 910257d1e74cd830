/** The contract of every transport. Each implementation's test runs this suite on a scripted backend. */
import type { Message, RunRequest, StreamEvent } from "@nitka/protocol";
import type { StreamFrame } from "@nitka/protocol/read-stream";
import { describe, expect, it } from "vitest";
import { HttpError } from "./http-error.ts";
import type { Script, ScriptedRun } from "./scripted-transport.ts";
import type { RunStream, Transport } from "./transport.ts";

interface Place {
  readonly transport: Transport;
  readonly close: () => Promise<void>;
}

/** @param open returns a transport to a backend that follows the script and has every addition */
export function describeTransport(name: string, open: (script: Script) => Promise<Place>): void {
  const use = async (script: Partial<Script>, test: (transport: Transport, script: Script) => Promise<void>) => {
    const whole: Script = { threads: [], messages: {}, ...script };
    const { transport, close } = await open(whole);
    try {
      await test(transport, whole);
    } finally {
      await close();
    }
  };
  const { signal } = new AbortController();
  const question: Message & { role: "user" } = { id: "q1", role: "user", content: "Привет", parentId: null };
  const request: RunRequest = { messages: [question] };
  const thread = { threadId: "t 1/ё", title: "Погода", updatedAt: "2026-11-21T12:00:00.000Z" };

  const older = { ...thread, threadId: "t2", updatedAt: "2026-11-20T12:00:00.000Z" };

  describe(`${name}, as a transport`, () => {
    it("lists, creates, renames and archives threads", () =>
      use({ threads: [thread] }, async (transport) => {
        expect(await transport.listThreads()).toEqual([thread]);
        const made = await transport.createThread();
        expect(await transport.listThreads()).toEqual([made, thread]);
        await transport.renameThread(thread.threadId, "Дождь");
        await transport.archiveThread(made.threadId);
        expect(await transport.listThreads()).toEqual([{ ...thread, title: "Дождь" }]);
      }));

    it("lists the threads after a given one", () =>
      use({ threads: [thread, older] }, async (transport) => {
        const { threadId, updatedAt } = thread;
        expect(await transport.listThreads({ before: threadId, at: updatedAt })).toEqual([older]);
      }));

    it("lists a thread's messages", () =>
      use({ messages: { [thread.threadId]: [question] } }, async (transport) => {
        expect(await transport.listMessages(thread.threadId)).toEqual([question]);
      }));

    it("starts a run with the request, and yields its events with their ids", () => {
      const runs: ScriptedRun[] = [];
      const onRun = (run: ScriptedRun) => {
        runs.push(run);
        run.emit(said, 1);
        run.done();
      };
      return use({ onRun }, async (transport) => {
        const stream = await transport.startRun(thread.threadId, request, signal);
        expect(await readAll(stream)).toEqual({
          frames: said.map((event, index) => ({ event, id: `run:${index + 1}` })),
          done: true,
        });
        expect(runs).toMatchObject([{ threadId: thread.threadId, request }]);
      });
    });

    it("distinguishes a stream that merely closed from one that ended with [DONE]", () =>
      use({ onRun: (run) => run.close() }, async (transport) => {
        const stream = await transport.startRun("t1", request, signal);
        expect(await readAll(stream)).toEqual({ frames: [], done: false });
      }));

    it("rejects where a stream breaks off", () =>
      use({ onRun: (run) => run.fail(new Error("cut")) }, async (transport) => {
        await expect(transport.startRun("t1", request, signal).then(readAll)).rejects.toBeInstanceOf(Error);
      }));

    it("closes the stream of a run when it is aborted", () =>
      use({ onRun: (run) => run.emit([{ type: "start", messageId: "a" }]) }, async (transport) => {
        const controller = new AbortController();
        const stream = await transport.startRun("t1", request, controller.signal);
        await stream.next();
        const next = stream.next();
        controller.abort();
        await expect(next).rejects.toMatchObject({ name: "AbortError" });
      }));

    it("joins a run after an event, and resolves with undefined where there is none", () => {
      const script: Partial<Script> = {
        onRun: (run) => {
          run.emit([{ type: "finish" }], run.after === "run:7" ? 8 : 1);
          run.done();
        },
        joinable: (threadId) => threadId === "t1",
      };
      return use(script, async (transport) => {
        const stream = await transport.joinRun?.("t1", "run:7", signal);
        expect(stream && (await readAll(stream)).frames).toEqual([{ event: { type: "finish" }, id: "run:8" }]);
        expect(await transport.joinRun?.("t2", undefined, signal)).toBeUndefined();
      });
    });

    it("rejects with the status of a request that failed", () => {
      const before = () => {
        throw new HttpError("HTTP 404 Not Found: …", { status: 404, code: "not_found" });
      };
      return use({ before }, async (transport) => {
        const calls = [
          transport.listThreads(),
          transport.listMessages("t1"),
          transport.renameThread("t1", "a"),
          transport.archiveThread("t1"),
          transport.startRun("t1", request, signal),
          transport.cancelRun?.("t1"),
          transport.selectBranch?.("t1", "m1"),
        ];
        const reasons = (await Promise.allSettled(calls.flatMap((call) => call ?? []))).map(
          (call) => call.status === "rejected" && call.reason,
        );
        for (const reason of reasons) {
          expect(reason).toBeInstanceOf(HttpError);
          expect(reason).toMatchObject({ status: 404, code: "not_found" });
        }
      });
    });

    it("cancels a run and stores a branch, each by its own request", () => {
      const calls: unknown[] = [];
      return use({ before: (...call) => void calls.push(call) }, async (transport) => {
        await transport.cancelRun?.("t1");
        await transport.selectBranch?.("t1", "m1");
        expect(calls).toEqual([
          ["cancelRun", "t1"],
          ["selectBranch", "t1", "m1"],
        ]);
      });
    });
  });
}

const said: readonly StreamEvent[] = [
  { type: "start", messageId: "a1" },
  { type: "text-delta", id: "1", delta: "При\nвет 👋" },
  { type: "finish" },
];

async function readAll(stream: RunStream): Promise<{ readonly frames: StreamFrame[]; readonly done: boolean }> {
  const frames: StreamFrame[] = [];
  for (;;) {
    const { value, done } = await stream.next();
    if (done) return { frames, done: value };
    frames.push(value);
  }
}
