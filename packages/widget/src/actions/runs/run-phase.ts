import type { RunState } from "../../store/state.ts";
import { REJOIN_DELAYS_MS, REPOST_DELAYS_MS } from "../../timings.ts";

/** The phase of a run that is not over. */
export interface LiveRun {
  /** `stopping`: the visitor has stopped the run, and the backend may still say how it ends. */
  readonly type: "running" | "stopping";
  /**
   * `preparing` or `calling`: a request is being prepared or in flight. `reading`: its stream is being read. `waiting`: a lost
   * connection waits for its retry.
   */
  readonly link: "preparing" | "calling" | "reading" | "waiting";
  /** Whether the backend has confirmed the question. */
  readonly isConfirmed: boolean;
  /** The number of consecutive connections without progress. */
  readonly attempt: number;
}

/** The state machine of a run that one widget follows. */
export type RunPhase =
  | LiveRun
  /** The connection is lost for good. The answer is about to settle as it is. */
  | { readonly type: "lost"; readonly isConfirmed: boolean }
  /** The answer is final. Its stream may still bring the thread's title. */
  | { readonly type: "settled" }
  /** The question is back with the visitor: they withdrew it, or the backend refused it because another run is active. */
  | { readonly type: "withdrawn" }
  /** Nothing more is read or written. */
  | { readonly type: "closed" };

export type RunPhaseEvent =
  /** The request has left the page and survives it. */
  | "called"
  /** The backend has responded with a stream. */
  | "connected"
  /** The stream has brought a new event. */
  | "progressed"
  /** The request failed, or the stream broke before the answer had settled. */
  | "disconnected"
  /** Like `disconnected`, while the browser has no network: no attempt is the last one. */
  | "cutOff"
  /** Like `disconnected`, but no further request may be made. */
  | "lost"
  /** The delay before the retry is over. */
  | "retried"
  /** The network may be back: the attempts are counted from zero. */
  | "renewed"
  /** The visitor has stopped the run. */
  | "stopped"
  | "withdrawn"
  | "settled"
  | "closed";

/** The phase that each event leads to from a live run. */
const transitions: Readonly<Record<RunPhaseEvent, (run: LiveRun) => RunPhase>> = {
  called: (run) => ({ ...run, link: "calling" }),
  connected: (run) => ({ ...run, link: "reading", isConfirmed: true }),
  progressed: (run) => ({ ...run, attempt: 0 }),
  disconnected: (run) => (retryDelay(run) === undefined ? lost(run) : waiting(run)),
  cutOff: waiting,
  lost,
  retried: (run) => ({ ...run, link: "preparing" }),
  renewed: (run) => ({ ...run, attempt: Math.min(run.attempt, 1) }),
  stopped: (run) => ({ ...run, type: "stopping" }),
  withdrawn: (run) => (run.isConfirmed ? run : { type: "withdrawn" }),
  settled: () => ({ type: "settled" }),
  closed: () => ({ type: "closed" }),
};

/**
 * The phase after an event.
 *
 *     preparing ──called──▶ calling ──connected──▶ reading ──disconnected──▶ waiting ──retried──▶ preparing …
 *        └─────────────────────┴────────────disconnected───────────────────────▲
 *
 *     from each of these four, while `running` or, after stopped, `stopping`:
 *        ──settled──────────────────────────────▶ settled ────┐
 *        ──withdrawn, not confirmed─────────────▶ withdrawn ──┼──closed──▶ closed
 *        ──lost─────────────────────────────────▶ lost ───────┘
 *        ──disconnected, no attempt left────────▶ lost ──settled──▶ settled
 *
 * All other events leave a phase as it is: a settled run is not stopped, and nothing follows `closed`.
 *
 * @example
 * nextPhase({ type: "running", link: "calling", isConfirmed: false, attempt: 0 }, "connected")
 *   // { type: "running", link: "reading", isConfirmed: true, attempt: 0 }
 * nextPhase({ type: "running", link: "reading", isConfirmed: true, attempt: 8 }, "disconnected")
 *   // { type: "lost", isConfirmed: true }
 * nextPhase({ type: "settled" }, "stopped") // { type: "settled" }
 */
export function nextPhase(phase: RunPhase, event: RunPhaseEvent): RunPhase {
  if (isLive(phase)) return transitions[event](phase);
  if (event === "closed" || (event === "settled" && phase.type === "lost")) return { type: event };
  return phase;
}

export function isLive(phase: RunPhase): phase is LiveRun {
  return phase.type === "running" || phase.type === "stopping";
}

/** The milliseconds until a lost connection is retried; `undefined` after the last attempt. */
export function retryDelay({ isConfirmed, attempt }: LiveRun): number | undefined {
  return (isConfirmed ? REJOIN_DELAYS_MS : REPOST_DELAYS_MS)[attempt];
}

/** The phase as the state stores it for the view. */
export function shownPhase({ type, link, isConfirmed, attempt }: LiveRun): RunState["phase"] {
  if (type === "stopping") return "stopping";
  if (link === "reading") return "streaming";
  if (isConfirmed || attempt > 0) return "rejoining";
  return link === "calling" ? "sending" : "preparing";
}

function waiting(run: LiveRun): RunPhase {
  return { ...run, link: "waiting", attempt: run.attempt + 1 };
}

function lost({ isConfirmed }: LiveRun): RunPhase {
  return { type: "lost", isConfirmed };
}
