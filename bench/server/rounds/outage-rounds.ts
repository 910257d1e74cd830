/**
 * `npm run bench:outage`: takes Postgres away for two minutes during a hundred answers, once stopped and once killed.
 * Afterwards every answer must be complete at its reader and in the database, and none may still run.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { textOf } from "@nitka/protocol/message";
import type { TemporaryPostgres } from "@nitka/server/temporary-postgres";
import { BenchVisitor, isWhole, newReading, readAnswer } from "../bench-visitor.ts";
import type { Reading } from "../bench-visitor.ts";
import { startNitka } from "../servers/nitka-process.ts";
import { Place } from "../servers/place.ts";
import { unlimitedSettings } from "../servers/unlimited-settings.ts";

const ANSWERS = 100;
const AWAY_MS = Number(process.env["BENCH_OUTAGE_SECONDS"] ?? 120) * 1000;
const EVERY_MS = 200;

/** Answers that ended during the outage must be stored within this time after it. */
const RECOVERY_MS = 15_000;

console.log(
  `Takes Postgres away for ${AWAY_MS / 1000} s under ${ANSWERS} answers, and checks that every answer is complete afterwards.`,
);
let failures = 0;
await outage("stopped", (postgres) => postgres.halt());
await outage("killed", (postgres) => postgres.kill());
process.exitCode = failures === 0 ? 0 : 1;

async function outage(how: string, takeAway: (postgres: TemporaryPostgres) => Promise<void>): Promise<void> {
  await using place = new Place();
  const folder = place.folder();
  const postgres = await place.postgres();
  const nitka = await startNitka({
    NITKA_DATA: folder,
    ...unlimitedSettings(folder),
    LOG_LEVEL: "fatal",
    ...(await place.upstream()),
    DATABASE_URL: await postgres.createDatabase(),
  });
  place.defer(() => nitka.kill());
  const visitor = new BenchVisitor();
  await visitor.visit(nitka.url);
  const readings: Reading[] = [];
  const whole = Array.from({ length: ANSWERS }, async (_, n) => {
    // Some answers end during the outage, others after it.
    const deltas = Math.ceil(((n + 1) / ANSWERS) * ((AWAY_MS + 30_000) / EVERY_MS)) + 60;
    const threadId = await visitor.createThread(nitka.url);
    const reading = newReading(threadId, { deltas, everyMs: EVERY_MS });
    readings.push(reading);
    await readAnswer(visitor, nitka.url, reading, `q${n}`);
  });
  await sleep(8_000);
  await takeAway(postgres);
  const awayAt = Date.now();
  await sleep(AWAY_MS / 2);
  console.log(`Asked while the database is away: ${await refusal(visitor, nitka.url, readings[0]?.threadId ?? "")}`);
  await sleep(awayAt + AWAY_MS - Date.now());
  await postgres.resume();
  const backAt = Date.now();
  await Promise.all(whole);
  await sleep(Math.max(0, backAt + RECOVERY_MS - Date.now()));
  const counts = { whole: 0, atReader: 0, inTable: 0, running: 0 };
  for (const reading of readings) {
    const [, answer] = await visitor.messages(nitka.url, reading.threadId);
    const stored = answer ? textOf(answer) : "";
    const atReader = isWhole(reading);
    const inTable = answer?.status?.type === "complete" && stored === reading.text;
    if (answer?.status?.type === "running") counts.running += 1;
    if (atReader) counts.atReader += 1;
    if (inTable) counts.inTable += 1;
    if (atReader && inTable) counts.whole += 1;
    else fail(`${reading.threadId}: reader ${reading.end}, table ${JSON.stringify(answer?.status)}`);
  }
  const storedAfterMs = Math.max(...readings.map(({ endedAt }) => endedAt)) - backAt;
  console.log(`Postgres ${how} for ${AWAY_MS / 1000} s under ${ANSWERS} answers:`, { ...counts, storedAfterMs });
}

/** The response to a question during the outage. */
async function refusal(visitor: BenchVisitor, url: string, threadId: string): Promise<string> {
  const question = { id: "meanwhile", role: "user", content: "Что происходит?" } as const;
  try {
    for await (const event of visitor.ask(url, threadId, question)) return event.type;
    return "an empty stream";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function fail(what: string): void {
  failures += 1;
  console.error(`✗ ${what}`);
}
