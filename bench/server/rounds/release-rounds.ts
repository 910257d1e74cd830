/**
 * `npm run bench:release`: restarts two instances behind nginx in turn during a hundred answers of 15 s. No answer may be
 * interrupted and no request refused.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../../scripts/listen-locally.mjs";
import { startNginx } from "../../../scripts/start-nginx.mjs";
import { BenchVisitor } from "../bench-visitor.ts";
import { startNitka } from "../servers/nitka-process.ts";
import { dueTimesIn } from "../servers/paced-deltas.ts";
import { Place } from "../servers/place.ts";
import { unlimitedSettings } from "../servers/unlimited-settings.ts";

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 10);
const VISITORS = 100;

/** An answer of 15 s. */
const PACE = { deltas: 150, everyMs: 100 };

console.log(
  `Restarts two instances in turns, ${ROUNDS} times each, under ${VISITORS} visitors, and counts interrupted answers and refused requests.`,
);
const counts = { asked: 0, whole: 0, broken: 0, refused: 0 };
await using place = new Place();
const folder = place.folder();
const settings = {
  ...unlimitedSettings(folder),
  NITKA_TRUSTED_PROXIES: "1",
  ...(await place.upstream()),
  DATABASE_URL: await (await place.postgres()).createDatabase(),
};
const ports = [await freePort(), await freePort()];
const startInstance = (port: number) =>
  startNitka({ ...settings, NITKA_DATA: join(folder, String(port)), PORT: String(port) });
const instances = await Promise.all(ports.map(startInstance));
const nginx = await startNginx(ports);

const stop = new AbortController();
const talks = Array.from({ length: VISITORS }, (_, n) => talk(n));
await sleep(5000);
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [index, port] of ports.entries()) {
    const start = Date.now();
    const code = await instances[index]?.terminate();
    const endedMs = Date.now() - start;
    instances[index] = await startInstance(port);
    console.log(`Round ${round + 1}, instance ${index + 1}: ended with ${code} after ${endedMs} ms, back`, counts);
    await sleep(2000);
  }
}
stop.abort();
await Promise.all(talks);
console.log(`${2 * ROUNDS} restarts under ${VISITORS} visitors:`, counts);
await nginx.stop();
await Promise.all(instances.map((instance) => instance.kill()));
process.exitCode = counts.whole === counts.asked ? 0 : 1;

/** One visitor, who asks again as soon as an answer ends. */
async function talk(n: number): Promise<void> {
  const visitor = new BenchVisitor();
  await sleep(n * 50);
  await attempt(() => visitor.visit(nginx.url));
  const threadId = await attempt(() => visitor.createThread(nginx.url));
  if (threadId === undefined) return;
  for (let turn = 0; !stop.signal.aborted; turn += 1) {
    counts.asked += 1;
    const question = { id: `q${turn}`, role: "user", content: JSON.stringify(PACE) } as const;
    await attempt(async () => {
      let text = "";
      let end = "nothing";
      for await (const event of visitor.ask(nginx.url, threadId, question)) {
        if (event.type === "text-delta") text += event.delta;
        if (event.type === "finish" || event.type === "error" || event.type === "abort") end = event.type;
      }
      const deltas = dueTimesIn(text).length;
      if (end === "finish" && deltas === PACE.deltas) counts.whole += 1;
      else {
        counts.broken += 1;
        console.error(`✗ ${threadId}: an answer of ${deltas} deltas ended with ${end}`);
      }
    });
  }
}

async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    counts.refused += 1;
    // The cause says whether the connection was refused or broken.
    const { message, cause } = error as Error;
    console.error(`✗ ${message} ${cause instanceof Error ? cause.message : ""}`);
    await sleep(500);
    return undefined;
  }
}
