/**
 * `npm run bench:day`: computes what a day with a million visitors needs. It measures the cost of an answer, on the server and
 * Postgres, and simulates days with these costs. docs/scaling.md has the figures.
 */
import { measureAnswerCost } from "../measure-answer-cost.ts";
import { simulateDay } from "./simulate-day.ts";
import type { Day } from "./simulate-day.ts";

const VISITORS = 1_000_000;

/**
 * The share of the visitors who ask. One in ten is high for a shop's assistant; all of them ask on a site that is the
 * assistant.
 */
const days: Readonly<Record<string, Day>> = {
  "one visitor in ten asks three questions": { questions: 300_000, peakHourShare: 0.08, answerSeconds: 12 },
  "each visitor asks three questions": { questions: 3_000_000, peakHourShare: 0.08, answerSeconds: 12 },
};

const cost = await measureAnswerCost();
console.log("\nAn answer of 300 deltas, with its question, in a thread of its own:");
console.table({
  "processor time of the instance": `${cost.serverCpuMs.toFixed(1)} ms`,
  "processor time of Postgres":
    cost.postgresCpuMs === undefined ? "not known here" : `${cost.postgresCpuMs.toFixed(1)} ms`,
  transactions: cost.transactions.toFixed(1),
  "write-ahead log": `${(cost.walBytes / 1000).toFixed(1)} KB`,
  "what stays in the database": `${(cost.keptBytes / 1000).toFixed(1)} KB`,
  "its event log, for half an hour": `${(cost.logBytes / 1000).toFixed(1)} KB`,
});

for (const [name, day] of Object.entries(days)) {
  const { peakPerSecond, peakRuns, instances } = simulateDay(day, cost.serverCpuMs);
  const cores = (ms: number | undefined) => (ms === undefined ? "" : ((peakPerSecond * ms) / 1000).toFixed(2));
  console.log(`\n${VISITORS.toLocaleString("en")} visitors, ${name}:`);
  console.table({
    "questions a second, busiest minute": peakPerSecond.toFixed(0),
    "answers at once, busiest": peakRuns,
    "instances, one of them away": instances,
    "cores of all instances": cores(cost.serverCpuMs),
    "cores of Postgres": cores(cost.postgresCpuMs),
    "WAL, MB/s": ((peakPerSecond * cost.walBytes) / 1e6).toFixed(2),
    "event logs of half an hour, GB": ((peakPerSecond * 1800 * cost.logBytes) / 1e9).toFixed(1),
    "kept in a year, GB": Math.round((day.questions * 365 * cost.keptBytes) / 1e9),
  });
}
process.exit();
