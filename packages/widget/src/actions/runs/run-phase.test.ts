// @vitest-environment node
import { describe, expect, it } from "vitest";
import type { LiveRun, RunPhase, RunPhaseEvent } from "./run-phase.ts";
import { nextPhase, retryDelay, shownPhase } from "./run-phase.ts";

const live = (changes: Partial<LiveRun> = {}): LiveRun => ({
  type: "running",
  link: "calling",
  isConfirmed: false,
  attempt: 0,
  ...changes,
});
const reading = live({ link: "reading", isConfirmed: true });

describe("the phase of a run", () => {
  const steps: readonly (readonly [string, RunPhase, RunPhaseEvent, RunPhase])[] = [
    ["reads once it is connected", live(), "connected", reading],
    ["resets its attempts after progress", live({ attempt: 3 }), "progressed", live()],
    ["waits when it is disconnected", reading, "disconnected", { ...reading, link: "waiting", attempt: 1 }],
    ["calls once it is prepared", live({ link: "preparing" }), "called", live()],
    [
      "prepares again after the wait",
      live({ link: "waiting", attempt: 1 }),
      "retried",
      live({ link: "preparing", attempt: 1 }),
    ],
    ["is lost where it may not retry", live(), "lost", { type: "lost", isConfirmed: false }],
    ["waits without a network however often", live({ attempt: 9 }), "cutOff", live({ link: "waiting", attempt: 10 })],
    ["has all but its first attempt again", live({ attempt: 10 }), "renewed", live({ attempt: 1 })],
    [
      "is lost after seven attempts without a confirmation",
      live({ attempt: 7 }),
      "disconnected",
      { type: "lost", isConfirmed: false },
    ],
    [
      "retries after three attempts once it is confirmed",
      live({ isConfirmed: true, attempt: 3 }),
      "disconnected",
      live({ link: "waiting", isConfirmed: true, attempt: 4 }),
    ],
    [
      "is lost after eight attempts that brought nothing",
      live({ isConfirmed: true, attempt: 8 }),
      "disconnected",
      { type: "lost", isConfirmed: true },
    ],
    ["is stopping until it has ended", reading, "stopped", { ...reading, type: "stopping" }],
    [
      "may be connected while it is stopping",
      live({ type: "stopping" }),
      "connected",
      { ...reading, type: "stopping" },
    ],
    ["settles while it is stopping", live({ type: "stopping" }), "settled", { type: "settled" }],
    ["is withdrawn before it is confirmed", live(), "withdrawn", { type: "withdrawn" }],
    ["is not withdrawn once it is confirmed", live({ isConfirmed: true }), "withdrawn", live({ isConfirmed: true })],
    ["settles once it is lost", { type: "lost", isConfirmed: true }, "settled", { type: "settled" }],
    ["is not lost once it has settled", { type: "settled" }, "disconnected", { type: "settled" }],
    ["is not stopped once it has settled", { type: "settled" }, "stopped", { type: "settled" }],
    ["does not settle once it is withdrawn", { type: "withdrawn" }, "settled", { type: "withdrawn" }],
    ["closes while it runs", reading, "closed", { type: "closed" }],
    ["closes once it has settled", { type: "settled" }, "closed", { type: "closed" }],
    ["stays closed", { type: "closed" }, "connected", { type: "closed" }],
  ];
  it.each(steps)("%s", (_, phase, event, expected) => expect(nextPhase(phase, event)).toEqual(expected));

  it("waits longer with each attempt, up to 8 s, and has eight", () => {
    const delays = Array.from({ length: 9 }, (_, attempt) => retryDelay(live({ isConfirmed: true, attempt })));
    expect(delays).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000, 8000, undefined]);
  });

  it.each([
    ["preparing", live({ link: "preparing" })],
    ["sending", live()],
    ["rejoining", live({ attempt: 1 })],
    ["rejoining", live({ isConfirmed: true })],
    ["streaming", reading],
    ["stopping", { ...reading, type: "stopping" } as const],
  ])("is shown as %s", (shown, phase) => expect(shownPhase(phase)).toBe(shown));
});
