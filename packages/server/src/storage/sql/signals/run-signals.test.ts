import { describe, expect, it } from "vitest";
import { createRunSignals } from "./run-signals.ts";
import { silentBus } from "./signal-bus.ts";
import type { SignalBus } from "./signal-bus.ts";
import { openSqliteStorage } from "../../sqlite.ts";

describe("the signals of runs", () => {
  it("reach every subscriber, also after one that throws, and the sender does not notice", async () => {
    const errors: unknown[] = [];
    const heard: string[] = [];
    const signals = createRunSignals(silentBus, (error) => errors.push(error));
    signals.subscribe(({ runId }) => heard.push(`before ${runId}`));
    signals.subscribe(() => {
      throw new Error("Bad subscriber");
    });
    signals.subscribe(({ runId }) => heard.push(`behind ${runId}`));
    await signals.sendToFollowers("ended", ["run1", "run2"]);
    expect(heard).toEqual(["before run1", "behind run1", "before run2", "behind run2"]);
    expect(errors).toEqual([new Error("Bad subscriber"), new Error("Bad subscriber")]);
    signals.stop();
  });

  it("need no lease on a run of their own instance, and report whether another instance was sent one", async () => {
    const sent: unknown[] = [];
    const send: SignalBus["send"] = async (...message) => {
      sent.push(message);
      if (message[0] === "gone") throw new Error("away");
    };
    const signals = createRunSignals({ ...silentBus, instanceId: "here", send }, () => undefined);
    const follow = (instanceId: string) => signals.follow(instanceId, ["run1"]);
    expect(await Promise.all([follow("here"), follow("there"), follow("gone")])).toEqual([true, true, false]);
    expect(sent).toEqual([
      ["there", "follow", ["run1"]],
      ["gone", "follow", ["run1"]],
    ]);
    signals.stop();
  });

  it("of a storage have a line in its log for a subscriber that throws", async () => {
    const lines: string[] = [];
    const log = { info: () => undefined, warn: (_: unknown, text: string) => lines.push(text) };
    const storage = await openSqliteStorage({ path: ":memory:", log });
    storage.signals.subscribe(() => {
      throw new Error("Bad subscriber");
    });
    await storage.signals.publish({ type: "answered", runId: "run1" });
    expect(lines).toEqual(["a listener of runs has failed"]);
    await storage.close();
  });
});
