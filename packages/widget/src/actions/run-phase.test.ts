// @vitest-environment node
import { describe, expect, it } from "vitest";
import type { LiveRun, RunPhase, RunPhaseEvent } from "./run-phase.ts";
import { next, shownPhase, waitBefore } from "./run-phase.ts";

const live = (changes: Partial<LiveRun> = {}): LiveRun => ({
  type: "running",
  link: "calling",
  heard: false,
  attempt: 0,
  ...changes,
});
const lose: RunPhaseEvent = { type: "lose", canRejoin: true };

describe("the phase of a run", () => {
  const steps: readonly (readonly [string, RunPhase, RunPhaseEvent, RunPhase])[] = [
    ["is read once it is connected", live(), { type: "connect" }, live({ link: "reading", heard: true })],
    ["forgets its attempts with what is new", live({ attempt: 3 }), { type: "progress" }, live({ attempt: 0 })],
    [
      "waits when it is lost",
      live({ link: "reading", heard: true }),
      lose,
      live({ link: "waiting", heard: true, attempt: 1 }),
    ],
    ["calls again after the wait", live({ link: "waiting", attempt: 1 }), { type: "retry" }, live({ attempt: 1 })],
    [
      "is lost where there is no way to rejoin",
      live(),
      { type: "lose", canRejoin: false },
      { type: "lost", heard: false },
    ],
    ["is lost after three attempts that nobody heard", live({ attempt: 3 }), lose, { type: "lost", heard: false }],
    [
      "goes on after three attempts once it was heard",
      live({ heard: true, attempt: 3 }),
      lose,
      live({ link: "waiting", heard: true, attempt: 4 }),
    ],
    [
      "is lost after eight attempts that brought nothing",
      live({ heard: true, attempt: 8 }),
      lose,
      { type: "lost", heard: true },
    ],
    [
      "is stopping until it has ended",
      live({ link: "reading", heard: true }),
      { type: "stop" },
      live({ type: "stopping", link: "reading", heard: true }),
    ],
    [
      "may still be connected while it is stopping",
      live({ type: "stopping" }),
      { type: "connect" },
      live({ type: "stopping", link: "reading", heard: true }),
    ],
    ["settles while it is stopping", live({ type: "stopping" }), { type: "settle" }, { type: "settled" }],
    ["is refused before it is heard", live(), { type: "refuse" }, { type: "refused" }],
    ["is not refused after", live({ heard: true }), { type: "refuse" }, live({ heard: true })],
    ["settles as it is once it is lost", { type: "lost", heard: true }, { type: "settle" }, { type: "settled" }],
    ["is not lost once it has settled", { type: "settled" }, lose, { type: "settled" }],
    ["is not stopped once it has settled", { type: "settled" }, { type: "stop" }, { type: "settled" }],
    ["does not settle once it was refused", { type: "refused" }, { type: "settle" }, { type: "refused" }],
    ["closes from anywhere", { type: "settled" }, { type: "close" }, { type: "closed" }],
    ["stays closed", { type: "closed" }, { type: "connect" }, { type: "closed" }],
  ];
  it.each(steps)("%s", (_, phase, event, expected) => expect(next(phase, event)).toEqual(expected));

  it("waits longer with each attempt, and not for ever", () => {
    const waits = Array.from({ length: 9 }, (_, attempt) => waitBefore(live({ heard: true, attempt })));
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000, 8000, undefined]);
  });

  it.each([
    ["sending", live()],
    ["rejoining", live({ attempt: 1 })],
    ["rejoining", live({ heard: true })],
    ["streaming", live({ link: "reading", heard: true })],
    ["stopping", live({ type: "stopping", link: "reading", heard: true })],
  ])("is shown as %s", (shown, phase) => expect(shownPhase(phase)).toBe(shown));
});
