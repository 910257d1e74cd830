/** A life, determined by a seed: visitors who act at random, instances of the server, one fault, and the verdict. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Storage } from "@nitka/server";
import { planFaults } from "./fault-plan.ts";
import { describeFault } from "./fault.ts";
import type { Fault } from "./fault.ts";
import { HOST_SECRET, startInstance, timings } from "./instance.ts";
import type { Instance } from "./instance.ts";
import { judgeFiles } from "./judge-files.ts";
import type { McpServer } from "./mcp-server.ts";
import type { Lane } from "./place.ts";
import { PlantedFaults } from "./planted-faults.ts";
import { PATIENT, probe } from "./probe.ts";
import { rest } from "./rest.ts";
import { createScriptedUpstream } from "./scripted-upstream.ts";
import { createSeededRandom } from "./seeded-random.ts";
import { judge } from "./verdict.ts";
import { DEFAULT_PROJECT, Visitor } from "./visitor.ts";
import { visitorStep } from "./visitor-steps.ts";

export interface Life {
  /** The events of the life, in order. */
  readonly story: readonly string[];
  /** The errors that were found. */
  readonly wrongs: readonly string[];
  /**
   * Resolves when nothing of its instances is left in memory. A dead one takes some seconds, because it tries in vain to store
   * its answers.
   */
  readonly gone: Promise<unknown>;
}

/** Lives do not test rate limits. */
const unlimited = {
  messagesPerMinute: null,
  threadsPerMinute: null,
  uploadsPerMinute: null,
  requestsPerMinute: null,
  addressRunsAtOnce: null,
  addressMessagesPerMinute: null,
  upstreamIdleMs: 6_000,
  toolWaitMs: 1_200,
};

const MODEL_TITLE = "О чём-то";

/** Each fault happens once, so a server that still does not start will never start. */
const MAX_STARTS = 50;

/** Longer than any life. */
const LIFE_MS = 300_000;

/** Plays a life. A life that does not end has failed. */
export async function live(seed: number, lane: Lane, mcp: McpServer): Promise<Life> {
  const life = { story: [] as string[], wrongs: [] as string[], instances: [] as Instance[] };
  const late = new AbortController();
  await Promise.race([
    run(seed, lane, mcp, { ...life, late: late.signal }).catch((error: unknown) => {
      life.wrongs.push(`it breaks off: ${error instanceof Error ? error.stack : String(error)}`);
    }),
    sleep(LIFE_MS, undefined, { signal: late.signal }).then(
      () => life.wrongs.push("it never ends"),
      () => undefined,
    ),
  ]);
  late.abort();
  // After any error, the next life must find no instance of this one.
  await Promise.all(life.instances.filter((instance) => instance.isAlive()).map((instance) => instance.close()));
  return { ...life, gone: Promise.all(life.instances.map((instance) => instance.gone)) };
}

/** A life in progress. When it is `late`, its verdict is given and the next life takes its place. */
interface Going {
  readonly story: string[];
  readonly wrongs: string[];
  readonly instances: Instance[];
  readonly late: AbortSignal;
}

async function run(seed: number, lane: Lane, mcp: McpServer, { story, wrongs, instances, late }: Going): Promise<void> {
  const random = createSeededRandom(seed);
  const plan = planFaults(seed, random.fork(), lane);
  const started = performance.now();
  const note = (text: string) => void story.push(`${Math.round(performance.now() - started)} ms: ${text}`);
  const wrong = (text: string) => {
    wrongs.push(text);
    note(`WRONG: ${text}`);
  };
  const over = new AbortController();
  late.addEventListener("abort", () => over.abort());
  const happens = (fault: Fault) => {
    note(`${describeFault(fault)} happens`);
    if (plan.thenSilence) over.abort();
  };
  const faults = new PlantedFaults(plan.faults, happens);
  note(`${plan.faults.map(describeFault).join(", ") || "nothing fails"}${plan.thenSilence ? ", then silence" : ""}`);
  const place = await lane.enter(faults);
  const tools = mcp.enter(`life${seed}.${Math.round(started)}`, (method) => faults.next("mcp", method));
  const upstream = createScriptedUpstream({ faultOf: (call) => faults.next("model", call), title: MODEL_TITLE });
  const alive = () => instances.filter((instance) => instance.isAlive());
  const common = { approve: ["lives/pay"], secret: HOST_SECRET, followUps: random.chance(0.7) };
  const reviving = new Set<Promise<void>>();
  let endings = 0;

  async function start(): Promise<void> {
    const name = `${seed}.${instances.length}.${crypto.randomUUID().slice(0, 8)}`;
    const instance = await startInstance({
      name,
      place,
      upstream,
      wrong,
      mcpUrl: tools.url,
      files: faults.files,
      faultOf: (call) => faults.next("storage", call),
      projects: {
        [DEFAULT_PROJECT]: { ...common, limits: unlimited },
        [PATIENT]: { ...common, limits: { ...unlimited, toolWaitMs: null } },
      },
      onDeath: (died) => {
        endings += 1;
        note(`${name} dies`);
        revive(died);
      },
    });
    if (late.aborted) return instance.close();
    instances.push(instance);
    note(`${name} starts`);
  }

  /** Restarts a process that cannot start, like an orchestrator. */
  async function startSurely(): Promise<void> {
    for (let tries = 1; !late.aborted; tries += 1) {
      try {
        return await start();
      } catch (error) {
        note(`no start: ${String(error)}`);
        if (tries === MAX_STARTS) throw error;
        await sleep(200);
      }
    }
  }

  /** An SQLite file has one server at a time. */
  function revive(ended: Promise<void>): void {
    const revived = ended.then(() => sleep(300)).then(startSurely);
    reviving.add(revived);
    void revived.finally(() => reviving.delete(revived));
  }

  /** Replaces an instance, like a release. */
  function release(instance: Instance): void {
    endings += 1;
    note(`${instance.name} is released`);
    revive(instance.close());
  }

  for (let n = 0; n < lane.atOnce; n += 1) await startSurely();
  const balancer = random.fork();
  let tags = 0;
  const newTag = () => `q${seed}x${(tags += 1)}`;
  const newVisitor = (name: string, projectId = DEFAULT_PROJECT) =>
    new Visitor({
      projectId,
      name: `${name}${seed}.${crypto.randomUUID().slice(0, 8)}`,
      random: random.fork(),
      anyInstance: () => alive()[balancer.below(alive().length)],
      note,
      wrong,
      isCalm: () => endings === 0 && faults.happened.length === 0,
      storedFiles: () => place.files(),
      over: over.signal,
    });
  const visitors = ["anna", "boris", "clara"].slice(0, 1 + random.below(3)).map((name) => newVisitor(name));
  const ending = setTimeout(() => {
    const [instance] = alive();
    if (plan.ending?.how === "dies") void instance?.kill();
    else if (plan.ending && instance) release(instance);
  }, plan.ending?.afterMs);
  await Promise.all(
    visitors.map(async (visitor) => {
      const steps = 5 + visitor.random.below(9);
      for (let step = 0; step < steps && !over.signal.aborted; step += 1) {
        // If there is one server, a page that cannot reach it retries after a while.
        if (!visitor.random.chance(0.2)) while (alive().length === 0 && !over.signal.aborted) await sleep(50);
        await visitorStep(visitor, { note, wrong, newTag, drawn: plan.drawn });
        await sleep(visitor.random.pick([0, 5, 40, 120]));
      }
    }),
  );
  clearTimeout(ending);
  over.abort();
  note("nobody acts any more");
  if (random.chance(0.5)) for (const visitor of visitors) visitor.leave();
  const running = () => runningIn(place.truth);
  const comeToRest = async () => {
    const busy = await rest({
      alive,
      isReviving: () => reviving.size > 0,
      visitors,
      running,
      openModels: upstream.open,
    });
    for (const one of busy) wrong(`not at rest: ${one}`);
  };
  await comeToRest();
  note("at rest");
  faults.isOver = true;
  // A timer's call may have hit its fault during the checks, and the instance is still to die from it.
  await comeToRest();
  for (const visitor of visitors) visitor.leave();
  note("to be probed");
  await probe({ instances: alive(), upstream, truth: place.truth, newVisitor, newTag, wrong });
  note("probed");
  for (const visitor of visitors) {
    if (!(await visitor.settle())) wrong(`${visitor.name} is refused the ${visitor.told.unsettled}`);
  }
  const { happened } = faults;
  await judge(visitors, {
    attempts: upstream.attempts,
    executed: tools.executed,
    truth: place.truth,
    isOwnTitle: (title) => title === MODEL_TITLE || title.startsWith(`q${seed}`),
    wrong,
    ...allowedBy(happened, endings),
  });
  await judgeFiles(visitors, place, { mayStay: endings > 0 || happened.some(isOfFiles), wrong });
  note("judged");
  await Promise.all(alive().map((instance) => instance.close()));
  note("closed");
  if (upstream.open() > 0) wrong(`${upstream.open()} generators of models are still open`);
  for (const { name, log } of instances) {
    for (const { level, line } of log) {
      note(`${name} logs ${level}: ${line}`);
      if (level === "error" && !faults.explains(line)) wrong(`${name} logs: ${line}`);
    }
  }
  for (let tries = 0; tries < 50 && (await place.connections()) > 0; tries += 1) await sleep(100);
  const connections = await place.connections();
  if (connections > 0) wrong(`${connections} connections to the database are still open`);
  await place.close();
  tools.leave();
}

async function runningIn({ desk }: Storage): Promise<readonly string[]> {
  const span = { projectIds: [DEFAULT_PROJECT], from: "2000", to: "3000" };
  const runs = await desk.runs({ ...span, status: "running", limit: 50 });
  return runs.map(({ run }) => `run ${run.runId} of ${run.instanceId}`);
}

/** The states that an answer may have after these faults, and after the death or the release of an instance. */
function allowedBy(happened: readonly Fault[], endings: number) {
  const isOf = (call: string, how: Fault["how"]) => (fault: Fault) => fault.call === call && fault.how === how;
  /**
   * The fault may leave a stored run that nobody knows of, or a heartbeat so late that another instance treated the sender as
   * dead.
   */
  const loses = (fault: Fault) =>
    fault.where === "wire" ||
    isOf("runs.begin", "lost")(fault) ||
    (fault.call === "runs.heartbeat" && fault.ms + timings.heartbeatMs > timings.staleMs);
  return {
    mayInterrupt: endings > 0 || happened.some(loses),
    mayLackTitle: endings + happened.length > 0,
    mayDrop: happened.filter(isOf("runs.end", "broken")).length >= MAX_REFUSALS,
  };
}

/** An answer is stored without its content when a reachable database has refused it this many times. */
const MAX_REFUSALS = 3;

/**
 * Whether a file that is to be deleted may stay for a while: a file that a sweep has claimed and not deleted is due in ten
 * minutes.
 */
function isOfFiles({ where, call }: Fault): boolean {
  return where === "files" || where === "wire" || call.startsWith("attachments.") || call.startsWith("visitors.");
}
