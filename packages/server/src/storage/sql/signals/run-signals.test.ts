import { describe, expect, it } from "vitest";
import { createRunSignals } from "./run-signals.ts";
import { silentBus } from "./signal-bus.ts";

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
});
