import type { RunState } from "../store/state.ts";
import { REJOIN_DELAYS_MS, REPOST_DELAYS_MS } from "../timings.ts";

/** A run that is not over. */
export interface LiveRun {
  /** `stopping`: the visitor has stopped it, and the backend may still say how it ends. */
  readonly type: "running" | "stopping";
  /** A call is on its way, its stream is being read, or a lost one waits to be tried again. */
  readonly link: "calling" | "reading" | "waiting";
  /** The backend has heard the question. */
  readonly heard: boolean;
  /** Connections in a row that brought nothing new. */
  readonly attempt: number;
}

/** Where a run stands, as one widget follows it. */
export type RunPhase =
  | LiveRun
  /** The answer is final. Its stream may still bring the thread's title. */
  | { readonly type: "settled" }
  /** The backend would not hear the question, because another run goes on in the thread. */
  | { readonly type: "refused" }
  /** The connection is lost, there is no further attempt, and the answer is about to settle as it is. */
  | { readonly type: "lost"; readonly heard: boolean }
  /** Nothing more is heard or written. */
  | { readonly type: "closed" };

export type RunPhaseEvent =
  | { readonly type: "connect" | "progress" | "retry" | "stop" | "settle" | "refuse" | "close" }
  | { readonly type: "lose"; readonly canRejoin: boolean };

/**
 * The phase after an event. An event that means nothing in a phase leaves it as it is: a settled run is not lost, and
 * nothing comes after a closed one.
 *
 * @example next({ type: "running", link: "calling", heard: false, attempt: 0 }, { type: "connect" })
 *   // { type: "running", link: "reading", heard: true, attempt: 0 }
 */
export function next(phase: RunPhase, event: RunPhaseEvent): RunPhase {
  if (event.type === "close") return { type: "closed" };
  if (event.type === "settle" && phase.type === "lost") return { type: "settled" };
  if (!isLive(phase)) return phase;
  switch (event.type) {
    case "connect":
      return { ...phase, link: "reading", heard: true };
    case "progress":
      return phase.attempt === 0 ? phase : { ...phase, attempt: 0 };
    case "lose":
      if (!event.canRejoin || waitBefore(phase) === undefined) return { type: "lost", heard: phase.heard };
      return { ...phase, link: "waiting", attempt: phase.attempt + 1 };
    case "retry":
      return { ...phase, link: "calling" };
    case "stop":
      return { ...phase, type: "stopping" };
    case "settle":
      return { type: "settled" };
    case "refuse":
      return phase.heard ? phase : { type: "refused" };
    default:
      return event.type satisfies never;
  }
}

export function isLive(phase: RunPhase): phase is LiveRun {
  return phase.type === "running" || phase.type === "stopping";
}

/** Milliseconds until a lost connection is tried again; `undefined` after the last attempt. */
export function waitBefore({ heard, attempt }: LiveRun): number | undefined {
  return (heard ? REJOIN_DELAYS_MS : REPOST_DELAYS_MS)[attempt];
}

/** What the view shows of a phase. */
export function shownPhase({ type, link, heard, attempt }: LiveRun): RunState["phase"] {
  if (type === "stopping") return "stopping";
  if (link === "reading") return "streaming";
  return heard || attempt > 0 ? "rejoining" : "sending";
}
