/** A life, determined by a seed: visitors who act at random, instances of the server, one fault, and the verdict. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Storage } from "@nitka/server";
import { describeFault, planFaults } from "./fault-plan.ts";
import type { Fault, FaultPlan } from "./fault-plan.ts";
import { HOST_SECRET, startInstance } from "./instance.ts";
import type { Instance } from "./instance.ts";
import type { McpServer } from "./mcp-server.ts";
import type { Lane } from "./place.ts";
import { PlantedFaults } from "./planted-faults.ts";
import { probe } from "./probe.ts";
import { rest } from "./rest.ts";
import { createScriptedUpstream } from "./scripted-upstream.ts";
import { createSeededRandom } from "./seeded-random.ts";
import { judge } from "./verdict.ts";
import { Visitor } from "./visitor.ts";
import { visitorStep } from "./visitor-steps.ts";

export interface Life {
  /** What happened, in order. */
  readonly story: readonly string[];
  /** What should not have happened. */
  readonly wrongs: readonly string[];
  /** Resolves when nothing is left of its instances in memory. A dead one takes some seconds: it tries in vain to store its answers. */
  readonly gone: Promise<unknown>;
}

/** Rates are not what lives are about. */
const unlimited = {
  messagesPerMinute: null,
  threadsPerMinute: null,
  requestsPerMinute: null,
  addressRunsAtOnce: null,
  addressMessagesPerMinute: null,
  upstreamIdleMs: 6_000,
  toolWaitMs: 1_200,
};

const MODEL_TITLE = "О чём-то";

/** Longer than any life. */
const LIFE_MS = 90_000;

/** A life that does not end is one that went wrong. */
export async function live(seed: number, lane: Lane, mcp: McpServer): Promise<Life> {
  const life = { story: [] as string[], wrongs: [] as string[], instances: [] as Instance[] };
  const late = new AbortController();
  await Promise.race([
    run(seed, lane, mcp, life).catch((error: unknown) => {
      life.wrongs.push(`it breaks off: ${error instanceof Error ? error.stack : String(error)}`);
    }),
    sleep(LIFE_MS, undefined, { signal: late.signal }).then(
      () => life.wrongs.push("it never ends"),
      () => undefined,
    ),
  ]);
  late.abort();
  return { ...life, gone: Promise.all(life.instances.map((instance) => instance.gone)) };
}

async function run(
  seed: number,
  lane: Lane,
  mcp: McpServer,
  { story, wrongs, instances }: { readonly story: string[]; readonly wrongs: string[]; readonly instances: Instance[] },
): Promise<void> {
  const random = createSeededRandom(seed);
  const plan = planFaults(random.fork(), lane);
  const started = performance.now();
  const note = (text: string) => void story.push(`${Math.round(performance.now() - started)} ms: ${text}`);
  const wrong = (text: string) => {
    wrongs.push(text);
    note(`WRONG: ${text}`);
  };
  const over = new AbortController();
  const happens = (fault: Fault) => {
    note(`${describeFault(fault)} happens`);
    if (plan.thenSilence) over.abort();
  };
  const faults = new PlantedFaults(plan.faults, happens);
  note(`${plan.faults.map(describeFault).join(", ")}${plan.thenSilence ? ", then silence" : ""}`);
  const wire = plan.faults.find((fault) => fault.where === "wire");
  const place = await lane.enter({ wire, onFault: () => wire && happens(wire) });
  const tools = mcp.enter(`life${seed}.${Math.round(started)}`, () => faults.ofUpstream("mcp"));
  const upstream = createScriptedUpstream({ faultOf: () => faults.ofUpstream("model"), title: MODEL_TITLE });
  const alive = () => instances.filter((instance) => instance.isAlive());
  const followUps = random.chance(0.5);
  const reviving = new Set<Promise<void>>();
  let deaths = 0;

  async function start(): Promise<void> {
    const name = `${seed}.${instances.length}.${crypto.randomUUID().slice(0, 8)}`;
    const instance = await startInstance({
      name,
      place,
      upstream,
      wrong,
      mcpUrl: tools.url,
      files: faults.files,
      faultOf: faults.ofStorage,
      project: { limits: unlimited, approve: ["lives/pay"], secret: HOST_SECRET, followUps },
      onDeath: (died) => {
        deaths += 1;
        note(`${name} dies`);
        const reviving1 = revive(died);
        reviving.add(reviving1);
        void reviving1.finally(() => reviving.delete(reviving1));
      },
    });
    instances.push(instance);
    note(`${name} starts`);
  }

  /** As an orchestrator does: a process that cannot start is started again. */
  async function startSurely(): Promise<void> {
    for (;;) {
      try {
        return await start();
      } catch (error) {
        note(`no start: ${String(error)}`);
        await sleep(200);
      }
    }
  }

  /** An SQLite file has one server at a time. */
  async function revive(died: Promise<void>): Promise<void> {
    await died;
    await sleep(300);
    await startSurely();
  }

  for (let n = 0; n < place.atOnce; n += 1) await startSurely();
  const balancer = random.fork();
  let tags = 0;
  const newTag = () => `q${seed}x${(tags += 1)}`;
  const newVisitor = (name: string) =>
    new Visitor({
      name: `${name}${seed}.${crypto.randomUUID().slice(0, 8)}`,
      random: random.fork(),
      anyInstance: () => alive()[balancer.below(alive().length)],
      note,
      wrong,
      over: over.signal,
    });
  const visitors = ["anna", "boris", "clara"].slice(0, 1 + random.below(3)).map(newVisitor);
  const death = plan.deathAfterMs === undefined ? 0 : setTimeout(() => void alive()[0]?.kill(), plan.deathAfterMs);
  await Promise.all(
    visitors.map(async (visitor) => {
      const steps = 6 + visitor.random.below(12);
      for (let step = 0; step < steps && !over.signal.aborted; step += 1) {
        await visitorStep(visitor, { note, newTag });
        await sleep(visitor.random.pick([0, 5, 40, 120]));
      }
    }),
  );
  clearTimeout(death);
  over.abort();
  note("nobody acts any more");
  if (random.chance(0.5)) for (const visitor of visitors) visitor.leave();
  while (reviving.size > 0) await Promise.all(reviving);
  const running = () => runningIn(place.truth);
  for (const busy of await rest({ alive, visitors, running, openModels: upstream.open })) wrong(`not at rest: ${busy}`);
  note("at rest");
  faults.isOver = true;
  for (const visitor of visitors) visitor.leave();
  note("to be probed");
  await probe({ instances: alive(), upstream, truth: place.truth, newVisitor, newTag, wrong });
  note("probed");
  await judge(visitors, {
    attempts: upstream.attempts,
    executed: tools.executed,
    truth: place.truth,
    isOwnTitle: (title) => title === MODEL_TITLE || title.startsWith(`q${seed}`),
    wrong,
    ...allowedBy(plan, deaths),
  });
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
  await place.close();
  tools.leave();
}

async function runningIn({ desk }: Storage): Promise<readonly string[]> {
  const span = { projectIds: ["default"], from: "2000", to: "3000" };
  const runs = await desk.runs({ ...span, status: "running", limit: 50 });
  return runs.map(({ run }) => `run ${run.runId} of ${run.instanceId}`);
}

/** What may have become of an answer by these faults. */
function allowedBy({ faults }: FaultPlan, deaths: number) {
  const isOfBegin = (fault: Fault) => fault.where === "storage" && fault.call === "runs.begin";
  return {
    mayInterrupt: deaths > 0 || faults.some((fault) => isOfBegin(fault) || fault.where === "wire"),
    mayLackTitle: faults.length > 0 || deaths > 0,
    mayDrop: faults.some((fault) => fault.where === "storage" && fault.how === "broken"),
  };
}
