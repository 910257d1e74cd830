/**
 * `npm run bench:greed`: one address without a cookie asks at full speed for a minute, beside ordinary visitors. Prints how
 * soon the visitors' answers begin before and during that minute, the response statuses, and the tokens used.
 */
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { percentile } from "../../report.ts";
import { createLoadClient } from "../load-client.ts";
import { runNitka, startNitka } from "../servers/nitka-process.ts";
import { Place } from "../servers/place.ts";

const VISITORS = 10;
const BEFORE_MS = 20_000;
const GREED_MS = 60_000;
const GREEDY_REQUESTS = 32;

/** The answers of ordinary visitors, and the long ones of the greedy address. */
const PACE = { deltas: 20, everyMs: 50 };
const GREEDY_PACE = { deltas: 600, everyMs: 50 };

console.log(
  `Measures how soon ${VISITORS} visitors' answers begin while one address asks at full speed for ${GREED_MS / 1000} s.`,
);
await using place = new Place();
const settings = { NITKA_DATA: place.folder(), ...(await place.upstream()) };
const nitka = await startNitka(settings);
let phase: "before" | "during" = "before";
const over = new AbortController();
const firstBytes = { before: new Array<number>(), during: new Array<number>() };
const visitorStatuses: Record<string, number> = {};
const greedyStatuses: Record<string, number> = {};
const visitors = Array.from({ length: VISITORS }, (_, n) => visit(n));
await sleep(BEFORE_MS);
phase = "during";
const greedy = Array.from({ length: GREEDY_REQUESTS }, () => grab(Date.now() + GREED_MS));
await Promise.all(greedy);
over.abort();
await Promise.all(visitors);
for (const [name, values] of Object.entries(firstBytes)) {
  const at = (share: number) => Math.round(percentile(values, share));
  console.log(`Ordinary visitors, ${name}: ${values.length} answers, first byte p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`);
}
console.log("Response statuses of ordinary visitors:", visitorStatuses);
console.log("Response statuses of the greedy address:", greedyStatuses);
await nitka.terminate();
console.log(await runNitka(["usage", "--by", "visitor", "--top", "5"], settings));

/** A visitor with an address of their own, who asks about every four seconds. */
async function visit(n: number): Promise<void> {
  const client = createLoadClient(`127.0.1.${n + 1}`);
  await client.visit(nitka.url);
  const threadId = await client.createThread(nitka.url);
  while (!over.signal.aborted) {
    const asked = performance.now();
    const begun = phase;
    const response = await client.ask(nitka.url, threadId, PACE, { parentId: undefined });
    count(visitorStatuses, response.statusCode);
    let first = true;
    for await (const _ of response) {
      if (first && response.statusCode === 200) firstBytes[begun].push(performance.now() - asked);
      first = false;
    }
    await sleep(3000);
  }
}

/** A new visitor for each question, all from one address, who disconnects when the answer begins. */
async function grab(until: number): Promise<void> {
  while (Date.now() < until) {
    const client = createLoadClient("127.0.0.66");
    try {
      const created = await client.send(new URL("api/debug/threads", nitka.url).href, "{}");
      count(greedyStatuses, created.statusCode, "threads");
      const answered = await text(created);
      if (created.statusCode !== 200) continue;
      const { threadId } = JSON.parse(answered) as { readonly threadId: string };
      const response = await client.ask(nitka.url, threadId, GREEDY_PACE);
      count(greedyStatuses, response.statusCode, "run");
      response.destroy();
    } catch (error) {
      count(greedyStatuses, 0, error instanceof Error ? error.message : String(error));
    }
  }
}

function count(counts: Record<string, number>, status = 0, what = ""): void {
  const name = `${what} ${status}`.trim();
  counts[name] = (counts[name] ?? 0) + 1;
}
