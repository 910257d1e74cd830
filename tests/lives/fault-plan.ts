/** What goes wrong in a life, and when, determined by the life's seed. */
import type { SeededRandom } from "./seeded-random.ts";

/** Every error that is injected has this text in its message, so that a line of the log can be told from a real one. */
export const INJECTED = "an injected fault";

/** What happens to the `nth` call of a method of the storage, such as `runs.end`, on any instance. */
export interface StorageFault {
  readonly where: "storage";
  readonly call: string;
  readonly nth: number;
  /**
   * - `refused`: the database is away, and nothing is done. `lost`: it is done, and its answer is lost.
   * - `broken`: the database can be reached and refuses. `slow`: it takes `ms`. `hung`: it is refused after `ms`.
   * - `death`: the instance dies before it. `late death`: it dies after it, before it has the answer.
   */
  readonly how: "refused" | "lost" | "broken" | "slow" | "hung" | "death" | "late death";
  readonly ms: number;
}

/** What happens to the `nth` request to the model or to the MCP server. */
export interface UpstreamFault {
  readonly where: "model" | "mcp";
  readonly nth: number;
  /**
   * `broken`: it answers with an error. `lost`: it does the work, and the connection breaks. `late`: it does the work, and
   * answers that it took too long. `slow`: it takes `ms`.
   */
  readonly how: "broken" | "lost" | "late" | "slow";
  readonly ms: number;
}

/** The `nth` packet of the database and its connection are lost (`lost`), or nothing comes for `ms` (`slow`). */
export interface WireFault {
  readonly where: "wire";
  readonly nth: number;
  readonly how: "lost" | "slow";
  readonly ms: number;
}

/** What happens to the `nth` call of the store of files. */
export interface FilesFault {
  readonly where: "files";
  readonly call: "write" | "read" | "delete";
  readonly nth: number;
  readonly how: "refused" | "broken";
}

export type Fault = StorageFault | UpstreamFault | WireFault | FilesFault;

/** The faults of a life, and what follows them. */
export interface FaultPlan {
  readonly faults: readonly Fault[];
  /** There is one fault, and after it nobody does anything more: what wakes the server must be the server's own. */
  readonly thenSilence: boolean;
  /** An instance dies after this many milliseconds, fault or not. */
  readonly deathAfterMs: number | undefined;
}

/** The methods of the storage that lives call, those more often that change something. */
const CALLS: readonly [string, ...string[]] = [
  "runs.begin",
  "runs.begin",
  "runs.end",
  "runs.end",
  "runs.end",
  "runs.heartbeat",
  "runs.heartbeat",
  "runs.checkpoint",
  "runs.interrupt",
  "runs.interruptStale",
  "runs.interruptStale",
  "runs.standing",
  "runs.findRunning",
  "runs.findEnd",
  "runs.ownerOf",
  "runs.forget",
  "events.append",
  "events.append",
  "events.append",
  "events.read",
  "signals.publish",
  "messages.tree",
  "messages.read",
  "messages.find",
  "messages.suggest",
  "threads.create",
  "threads.rename",
  "threads.archive",
  "threads.find",
  "threads.list",
  "awaitedCalls.add",
  "awaitedCalls.find",
  "awaitedCalls.answered",
  "awaitedCalls.claim",
  "awaitedCalls.allow",
  "awaitedCalls.decide",
  "awaitedCalls.dropOutput",
  "attachments.reserve",
  "attachments.write",
  "attachments.create",
  "attachments.read",
  "attachments.sweep",
  "visitors.claim",
  "visitors.purge",
  "usage.add",
  "usage.spent",
];

export function planFaults(random: SeededRandom, place: { readonly hasWire: boolean }): FaultPlan {
  const thenSilence = random.chance(0.5);
  const count = thenSilence ? 1 : random.below(5);
  return {
    faults: Array.from({ length: count }, () => planFault(random, place)),
    thenSilence,
    deathAfterMs: random.chance(0.15) ? 50 + random.below(800) : undefined,
  };
}

function planFault(random: SeededRandom, { hasWire }: { readonly hasWire: boolean }): Fault {
  const where = random.below(100);
  // Most are the first calls: a later one may not come in a short life.
  const nth = 1 + (random.chance(0.5) ? 0 : random.below(6));
  const ms = random.pick([5, 50, 200, 500]);
  if (where < 10) return { where: "model", nth, how: random.pick(["broken", "lost", "slow"]), ms };
  if (where < 20) return { where: "mcp", nth, how: random.pick(["broken", "lost", "late", "slow"]), ms };
  if (where < 25) {
    const call = random.pick(["write", "write", "read", "delete"] as const);
    return { where: "files", call, nth: 1, how: random.pick(["refused", "broken"]) };
  }
  if (where < 35 && hasWire)
    return { where: "wire", nth: 1 + random.below(400), how: random.pick(["lost", "slow"]), ms };
  const how = random.pick([
    "refused",
    "refused",
    "lost",
    "lost",
    "broken",
    "slow",
    "hung",
    "death",
    "late death",
  ] as const);
  return { where: "storage", call: random.pick(CALLS), nth, how, ms };
}

export function describeFault(fault: Fault): string {
  const what = "call" in fault ? `${fault.where} ${fault.call}` : fault.where;
  return `${what} #${fault.nth} ${fault.how}${"ms" in fault ? ` ${fault.ms} ms` : ""}`;
}
