/**
 * `npm run bench:kill`: kills the program with SIGKILL while it streams, many times, on SQLite and on Postgres. After each
 * restart everything that was acknowledged must be stored, and no answer may still run. Then one of three instances on one
 * Postgres is killed. `SQLite`, `Postgres` or `instances` after `--` runs only that part.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { textOf } from "@nitka/protocol/message";
import type { Message } from "@nitka/protocol";
import { namedParts } from "../../report.ts";
import { BenchVisitor } from "../bench-visitor.ts";
import { killInstances } from "./kill-instances.ts";
import { startNitka } from "../servers/nitka-process.ts";
import { Place } from "../servers/place.ts";
import { unlimitedSettings } from "../servers/unlimited-settings.ts";

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 50);
const INSTANCE_ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 10);
const THREADS = 8;

/** How much of an answer may be lost, and how long a dead run may look active after a start. */
const LOST_MS = 2000;
const RECOVERY_MS = 10_000;

/** A conversation as its visitor has seen it. */
interface Conversation {
  readonly threadId: string;
  readonly title: string;
  readonly question: Message;
  renamed: boolean;
  started: boolean;
  ended: boolean;
  /** The text after each delta, and the time at which it was read. */
  readonly read: { readonly at: number; readonly text: string }[];
}

let failures = 0;
for (const part of namedParts(["SQLite", "Postgres", "instances"])) {
  if (part === "instances") await killInstances(INSTANCE_ROUNDS);
  else await killRepeatedly(part);
}
if (failures > 0) process.exitCode = 1;

async function killRepeatedly(database: string): Promise<void> {
  console.log(
    `Kills the program on ${database} ${ROUNDS} times while ${THREADS} answers stream, and checks what is stored after each restart.`,
  );
  await using place = new Place();
  const folder = place.folder();
  const settings = {
    NITKA_DATA: folder,
    ...unlimitedSettings(folder),
    ...(await place.upstream()),
    ...(database === "Postgres" && { DATABASE_URL: await (await place.postgres()).createDatabase() }),
  };
  const totals = { asked: 0, interrupted: 0, complete: 0, retried: 0, slowestMs: 0 };
  let before: readonly Conversation[] = [];
  let killedAt = 0;
  const visitor = new BenchVisitor();
  for (let round = 0; round <= ROUNDS; round += 1) {
    const nitka = await startNitka(settings);
    await visitor.visit(nitka.url);
    const recoveredMs = await untilNothingRuns(visitor, nitka.url, before);
    totals.slowestMs = Math.max(totals.slowestMs, recoveredMs);
    for (const conversation of before) await check(visitor, nitka.url, conversation, killedAt, totals);
    if (before[0]) await retry(visitor, nitka.url, before[0], totals);
    if (round === ROUNDS) {
      await nitka.kill();
      break;
    }
    const current: Conversation[] = [];
    const talks = Array.from({ length: THREADS }, async (_, n) => talk(visitor, nitka.url, `${round}-${n}`, current));
    // The kill breaks the connections, so every conversation rejects.
    const broken = Promise.allSettled(talks);
    await sleep(300 + ((round * 397) % 4000));
    await nitka.kill();
    killedAt = Date.now();
    await broken;
    before = current;
  }
  console.log(`${database}, ${ROUNDS} kills:`, totals);
}

/** Asks questions until the connection breaks, and records what was acknowledged. */
async function talk(visitor: BenchVisitor, url: string, name: string, all: Conversation[]): Promise<void> {
  for (let n = 0; ; n += 1) {
    const threadId = await visitor.createThread(url);
    // Every second answer is short enough to finish.
    const pace = { deltas: n % 2 === 0 ? 12 : 400, everyMs: 25 };
    const id = `q${name.replace("-", "x")}x${n}`;
    const conversation: Conversation = {
      threadId,
      title: `Тема ${name} ${n}`,
      question: { id, role: "user", content: JSON.stringify(pace), parentId: null },
      renamed: false,
      started: false,
      ended: false,
      read: [],
    };
    all.push(conversation);
    await visitor.rename(url, threadId, conversation.title);
    conversation.renamed = true;
    let text = "";
    for await (const event of visitor.ask(url, threadId, conversation.question)) {
      conversation.started = true;
      if (event.type === "text-delta") conversation.read.push({ at: Date.now(), text: (text += event.delta) });
      if (event.type === "finish") conversation.ended = true;
    }
  }
}

async function untilNothingRuns(
  visitor: BenchVisitor,
  url: string,
  conversations: readonly Conversation[],
): Promise<number> {
  const start = Date.now();
  for (;;) {
    const lists = await Promise.all(conversations.map(({ threadId }) => visitor.messages(url, threadId)));
    if (!lists.flat().some(({ status }) => status?.type === "running")) return Date.now() - start;
    if (Date.now() - start > RECOVERY_MS) {
      fail(`answers still run ${RECOVERY_MS} ms after a start`);
      return Date.now() - start;
    }
    await sleep(100);
  }
}

async function check(
  visitor: BenchVisitor,
  url: string,
  { threadId, title, question, renamed, started, ended, read }: Conversation,
  killedAt: number,
  totals: Record<"asked" | "interrupted" | "complete", number>,
): Promise<void> {
  const titles = await visitor.titles(url);
  if (renamed && titles.has(threadId) && titles.get(threadId) !== title) fail(`${threadId} has lost its title`);
  const [asked, answer] = await visitor.messages(url, threadId);
  if (!started) return;
  totals.asked += 1;
  if (asked?.id !== question.id || asked.content !== question.content) fail(`${threadId} has lost its question`);
  if (!answer) return fail(`${threadId} has no answer`);
  const sure = read.findLast(({ at }) => at <= killedAt - LOST_MS)?.text ?? "";
  const kept = textOf(answer);
  if (!kept.startsWith(ended ? (read.at(-1)?.text ?? "") : sure)) {
    const lastKept = read.findLast(({ text }) => kept.startsWith(text))?.at ?? read[0]?.at ?? killedAt;
    fail(`${threadId} has lost the last ${killedAt - lastKept} ms of its answer (at its end: ${ended})`);
  }
  if (answer.status?.type === "complete") totals.complete += 1;
  else if (answer.status?.type === "incomplete" && answer.status.reason === "interrupted") totals.interrupted += 1;
  else fail(`${threadId} ended as ${JSON.stringify(answer.status)}`);
  if (ended && answer.status?.type !== "complete") fail(`${threadId} was complete and is no longer`);
}

/** Regenerates an interrupted answer. */
async function retry(
  visitor: BenchVisitor,
  url: string,
  { threadId, question, started }: Conversation,
  totals: { retried: number },
): Promise<void> {
  if (!started) return;
  let said = 0;
  for await (const event of visitor.ask(url, threadId, question, true)) {
    if (event.type !== "text-delta") continue;
    said += 1;
    if (said === 3) await visitor.cancel(url, threadId);
  }
  if (said === 0) fail(`${threadId} could not be asked again`);
  else totals.retried += 1;
}

function fail(what: string): void {
  failures += 1;
  console.error(`✗ ${what}`);
}
