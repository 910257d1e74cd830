/** The places where a life can fail: the calls that lives make, and the ways in which each can fail. */
import type { Fault } from "./fault.ts";
import type { Verb } from "./scripted-upstream.ts";

/** Steps and verbs that a visitor uses more often. */
export interface Drawn {
  readonly steps?: readonly [StepName, ...StepName[]];
  readonly verb?: Verb;
}

/** What a visitor does. */
export type StepName =
  | "open"
  | "ask"
  | "ask again"
  | "regenerate"
  | "edit"
  | "reload"
  | "join"
  | "cancel"
  | "upload"
  | "rename"
  | "archive"
  | "leave"
  | "claim"
  | "erase";

export interface FaultPlace {
  readonly where: Fault["where"];
  readonly call: string;
  /** The approximate maximum number of these calls in a life. */
  readonly most: number;
  readonly hows: readonly Fault["how"][];
  readonly drawn: Drawn;
  /** Whether the call is only made if two instances share a database. */
  readonly needsTwo: boolean;
  /** The call after which it is made, if the answer of that call is lost. */
  readonly after: string | undefined;
}

/** The calls of one place, each with its approximate number in a life and what causes it. */
type Calls = Readonly<Record<string, readonly [most: number, needed?: Needed]>>;

interface Needed extends Drawn {
  readonly two?: true;
  readonly after?: string;
}

/** The methods of the storage. Lives do not call the ones that only daily maintenance and operators call. */
const storage: Calls = {
  "runs.begin": [12],
  "runs.end": [12],
  "runs.heartbeat": [25],
  "runs.checkpoint": [3],
  "runs.interrupt": [1, { after: "runs.begin" }],
  "runs.interruptStale": [12],
  "runs.standing": [12],
  "runs.findRunning": [10],
  "runs.findEnd": [2, { two: true, steps: ["join", "cancel"] }],
  "runs.ownerOf": [1, { steps: ["claim"] }],
  "runs.forget": [4],
  "events.append": [40],
  "events.read": [3, { two: true, steps: ["join"] }],
  "signals.publish": [2, { two: true, steps: ["cancel"] }],
  "messages.tree": [12],
  "messages.read": [8],
  "messages.find": [3, { steps: ["regenerate"] }],
  "messages.suggest": [1, { verb: "say" }],
  "threads.create": [3],
  "threads.rename": [4, { steps: ["rename"] }],
  "threads.archive": [1, { steps: ["archive"] }],
  "threads.find": [12],
  "threads.list": [2, { steps: ["reload"] }],
  "awaitedCalls.add": [3, { verb: "pay" }],
  "awaitedCalls.find": [3, { verb: "page" }],
  "awaitedCalls.answered": [4, { verb: "pay" }],
  "awaitedCalls.claim": [2, { verb: "page" }],
  "awaitedCalls.allow": [1, { verb: "page" }],
  "awaitedCalls.decide": [3, { verb: "pay" }],
  "awaitedCalls.dropOutput": [2, { verb: "page" }],
  "attachments.reserve": [2, { verb: "picture" }],
  "attachments.write": [2, { verb: "picture" }],
  "attachments.create": [2, { steps: ["upload"] }],
  "attachments.find": [1, { steps: ["upload", "reload"] }],
  "attachments.count": [2, { steps: ["upload"] }],
  "attachments.read": [2, { steps: ["upload", "ask"] }],
  "attachments.sweep": [4],
  "visitors.claim": [1, { steps: ["claim"] }],
  "visitors.purge": [1, { steps: ["erase"] }],
  "usage.add": [6],
};

export const faultPlaces: readonly FaultPlace[] = [
  ...placesOf("storage", ["refused", "broken", "lost", "slow", "hung", "death", "late death"], storage),
  ...placesOf("files", ["refused", "broken", "slow"], {
    write: [2, { verb: "picture" }],
    read: [2, { steps: ["upload", "ask"] }],
    delete: [1, { steps: ["archive"], verb: "picture" }],
  }),
  ...placesOf("model", ["broken", "lost", "slow"], { stream: [12], generate: [8] }),
  ...placesOf("mcp", ["broken", "lost", "late", "slow"], {
    initialize: [1, { verb: "look" }],
    "tools/list": [1, { verb: "look" }],
    "tools/call": [2, { verb: "both" }],
  }),
  ...placesOf("wire", ["lost", "slow"], { packet: [400, { two: true }] }),
  ...placesOf("wire", ["lost", "slow"], { packet: [1_500, { two: true }] }),
];

function placesOf(where: FaultPlace["where"], hows: FaultPlace["hows"], calls: Calls): readonly FaultPlace[] {
  return Object.entries(calls).map(([call, [most, { two = false, after, ...drawn } = {}]]) => ({
    where,
    call,
    most,
    hows,
    drawn,
    needsTwo: two,
    after,
  }));
}
