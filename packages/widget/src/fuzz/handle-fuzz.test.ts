import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { ScriptedClock } from "./scripted-clock.ts";
import { startScriptedClock } from "./scripted-clock.ts";
import { runLife } from "./scripted-life.ts";

/** The number of random lives that the test runs. `NITKA_FUZZ_SEED` is the first seed, for repeating a life. */
const COUNT = Number(process.env["NITKA_FUZZ_COUNT"] ?? 500);
const FIRST = Number(process.env["NITKA_FUZZ_SEED"] ?? 1);
const PER_TEST = 100;

let clock: ScriptedClock;
const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown) => void unhandled.push(reason);

beforeAll(async () => {
  // Chunks are preloaded, because loading takes real time and the scripted clock would not wait for it.
  await Promise.all([
    import("../actions/runs/answer-writer.ts"),
    import("../actions/attachments.ts"),
    import("../actions/host-commands.ts"),
    import("../actions/tools/page-tools.ts"),
    import("../actions/question-changes.ts"),
    import("../actions/refresh.ts"),
    import("../actions/thread-changes.ts"),
    import("../launcher.ts"),
    import("../transport/one-visitor.ts"),
    import("../transport/read-run.ts"),
  ]);
  clock = startScriptedClock();
  process.on("unhandledRejection", onUnhandled);
});
afterAll(() => {
  process.off("unhandledRejection", onUnhandled);
  clock.restore();
  vi.unstubAllGlobals();
});

describe("under random actions of host, visitor and network no question is lost, doubled or in another thread", () => {
  const starts = Array.from({ length: Math.ceil(COUNT / PER_TEST) }, (_, index) => FIRST + index * PER_TEST);
  it.each(starts)("in the lives from seed %i on", async (start) => {
    const failed: string[] = [];
    for (let seed = start; seed < Math.min(start + PER_TEST, FIRST + COUNT); seed += 1) {
      const { steps, wrongs } = await runLife(seed, clock);
      const all = [...wrongs, ...unhandled.splice(0).map((reason) => `unhandled: ${String(reason)}`)];
      if (all.length > 0) failed.push([`seed ${seed}:`, ...all, ...(failed.length === 0 ? steps : [])].join("\n  "));
    }
    expect(failed.join("\n")).toBe("");
  });
});
