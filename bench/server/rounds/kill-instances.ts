/**
 * `npm run bench:kill -- instances`: kills one of three instances with SIGKILL while answers stream from all of them. The
 * other two must write theirs to the end, and must soon interrupt those of the dead one.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Message } from "@nitka/protocol";
import { textOf } from "@nitka/protocol/message";
import { Report } from "../../report.ts";
import { BenchVisitor, isWhole, newReading, readAnswer } from "../bench-visitor.ts";
import type { Reading } from "../bench-visitor.ts";
import { spread } from "../load-client.ts";
import { startNitka } from "../servers/nitka-process.ts";
import type { NitkaProcess } from "../servers/nitka-process.ts";
import { dueTimesIn } from "../servers/paced-deltas.ts";
import { Place } from "../servers/place.ts";
import { unlimitedSettings } from "../servers/unlimited-settings.ts";

const INSTANCES = 3;
const ANSWERS = 250;
const OVER_MS = 3000;

/** An answer of 30 s: it outlasts the start of all others and the kill. */
const PACE = { deltas: 150, everyMs: 200 };

/** How long a dead instance's answers may look active, and how much of their text may be lost. */
const INTERRUPTED_S = 30;
const LOST_S = 2;

/** A start that takes longer than this has failed. */
const START_MS = 20_000;
const PATIENCE_MS = 60_000;
const POLL_MS = 500;

/** The sums and maxima over all rounds. */
const none = {
  notUnderWay: 0,
  ofLiving: 0,
  notWhole: 0,
  ofDead: 0,
  notInterrupted: 0,
  slowestS: 0,
  lostS: 0,
  running: 0,
};

type Totals = typeof none;

export async function killInstances(rounds: number): Promise<void> {
  console.log(`Kills one of ${INSTANCES} instances ${rounds} times while ${ANSWERS} answers stream from all of them.`);
  const report = new Report();
  await using place = new Place();
  const folder = place.folder();
  const settings = {
    ...unlimitedSettings(folder),
    ...(await place.upstream()),
    DATABASE_URL: await (await place.postgres()).createDatabase(),
  };
  const startInstance = (index: number) => startNitka({ ...settings, NITKA_DATA: join(folder, String(index)) });
  const instances: NitkaProcess[] = [];
  place.defer(() => Promise.all(instances.map((instance) => instance.kill())));
  const totals = { ...none };
  for (let index = 0; index < INSTANCES; index += 1) instances.push(await startInstance(index));
  for (let round = 0; round < rounds; round += 1) {
    const visitor = new BenchVisitor();
    const dead = round % INSTANCES;
    const readings = await killOne(visitor, instances, dead, round, totals);
    instances[dead] = await startInstance(dead);
    const stored = await storedAnswers(visitor, instances[dead].url, readings);
    totals.running += stored.filter(({ answer }) => answer?.status?.type === "running").length;
    console.log(`Round ${round + 1}, instance ${dead + 1} killed:`, totals);
  }
  report.below(
    "answers that were not in progress at the kill",
    totals.notUnderWay,
    0,
    "answers",
    `of ${rounds * ANSWERS}`,
  );
  report.below("incomplete answers of the surviving instances", totals.notWhole, 0, "answers", `of ${totals.ofLiving}`);
  report.below(
    "answers of killed instances that are not interrupted",
    totals.notInterrupted,
    0,
    "answers",
    `of ${totals.ofDead}`,
  );
  report.below("from the kill until the last is interrupted", totals.slowestS, INTERRUPTED_S, "s");
  report.below("lost text that a reader had received", totals.lostS, LOST_S, "s");
  report.below("answers that still run after the round", totals.running, 0, "answers");
  report.end();
}

/**
 * Plays one round. Resolves with its answers when those of the live instances have ended and those of the dead one no longer
 * run.
 */
async function killOne(
  visitor: BenchVisitor,
  instances: readonly NitkaProcess[],
  dead: number,
  round: number,
  totals: Totals,
): Promise<readonly Reading[]> {
  const urls = instances.map(({ url }) => url);
  await visitor.visit(urls[0] ?? "");
  const asked = await spread(ANSWERS, OVER_MS, async (n) => {
    const url = urls[n % urls.length] ?? "";
    const reading = newReading(await visitor.createThread(url), PACE);
    return { reading, ofDead: n % urls.length === dead, whole: readAnswer(visitor, url, reading, `q${n}`) };
  });
  const readings = asked.map(({ reading }) => reading);
  const isUnderWay = ({ text, end }: Reading) => text !== "" && end === "none";
  const startBy = Date.now() + START_MS;
  while (!readings.every(isUnderWay) && Date.now() < startBy) await sleep(50);
  await sleep(1000 + ((round * 397) % 4000));
  for (const { threadId, end } of readings.filter((reading) => !isUnderWay(reading))) {
    totals.notUnderWay += 1;
    console.error(`✗ ${threadId}: it was not in progress at the kill; its reader has ${end}`);
  }

  const killedAt = Date.now();
  await instances[dead]?.kill();
  const other = urls[(dead + 1) % urls.length] ?? "";
  const ofDead = asked.filter((one) => one.ofDead).map(({ reading }) => reading);
  const ofLiving = asked.filter((one) => !one.ofDead).map(({ reading }) => reading);
  totals.slowestS = Math.max(totals.slowestS, (await untilNoneRuns(visitor, other, ofDead, killedAt)) / 1000);
  const patience = sleep(PATIENCE_MS, undefined, { ref: false });
  await Promise.race([Promise.all(asked.map(({ whole }) => whole)), patience]);

  totals.ofDead += ofDead.length;
  for (const stored of await storedAnswers(visitor, other, ofDead)) checkInterrupted(stored, totals);
  totals.ofLiving += ofLiving.length;
  for (const stored of await storedAnswers(visitor, other, ofLiving)) checkWhole(stored, totals);
  return readings;
}

/** Resolves with the milliseconds from the kill until none of the answers runs, or until patience ends. */
async function untilNoneRuns(
  visitor: BenchVisitor,
  url: string,
  readings: readonly Reading[],
  killedAt: number,
): Promise<number> {
  let left = readings;
  for (;;) {
    const stored = await storedAnswers(visitor, url, left);
    const passedMs = Date.now() - killedAt;
    left = stored.filter(({ answer }) => answer?.status?.type === "running").map(({ reading }) => reading);
    if (left.length === 0 || passedMs > PATIENCE_MS) return passedMs;
    await sleep(POLL_MS);
  }
}

function checkInterrupted({ reading: { threadId, text }, answer }: Stored, totals: Totals): void {
  const status = answer?.status;
  const kept = answer ? textOf(answer) : "";
  if (status?.type !== "incomplete" || status.reason !== "interrupted") {
    totals.notInterrupted += 1;
    console.error(`✗ ${threadId}: it ended as ${JSON.stringify(status)}`);
  }
  // The text after a difference counts as lost.
  const kepts = dueTimesIn(kept);
  const got = dueTimesIn(text);
  const same = got.findIndex((due, n) => due !== kepts[n]);
  const lostS = same === -1 ? 0 : ((got.length - same) * PACE.everyMs) / 1000;
  totals.lostS = Math.max(totals.lostS, lostS);
  if (lostS > LOST_S) console.error(`✗ ${threadId}: it has lost ${lostS} s of its text`);
}

function checkWhole({ reading, answer }: Stored, totals: Totals): void {
  const isStored = answer?.status?.type === "complete" && textOf(answer) === reading.text;
  if (isWhole(reading) && isStored) return;
  totals.notWhole += 1;
  const { threadId, text, end } = reading;
  const kept = answer ? textOf(answer) : "";
  console.error(
    `✗ ${threadId}: its reader has ${dueTimesIn(text).length} deltas and ${end}, the history ${dueTimesIn(kept).length} and ${JSON.stringify(answer?.status)}`,
  );
}

/** The part of an answer that a reader has received, and the history. */
interface Stored {
  readonly reading: Reading;
  readonly answer: Message | undefined;
}

function storedAnswers(visitor: BenchVisitor, url: string, readings: readonly Reading[]): Promise<readonly Stored[]> {
  const storedOf = async (reading: Reading) => ({
    reading,
    answer: (await visitor.messages(url, reading.threadId))[1],
  });
  return Promise.all(readings.map(storedOf));
}
