/**
 * `npm run bench:newcomer`: follows the docs like a newcomer and measures the time of each step. `-- clone page production`
 * runs only the named paths. docs/index.md has a table of the results.
 */
import { packPackages } from "../../scripts/release/pack-packages.mjs";
import { namedParts } from "../report.ts";
import { fromClone, onPage } from "./first-answers.ts";
import { Newcomer } from "./newcomer.ts";
import { toProduction } from "./production.ts";
import { TimedSteps } from "./timed-steps.ts";

const paths: Readonly<Record<string, (newcomer: Newcomer, steps: TimedSteps) => Promise<void>>> = {
  clone: fromClone,
  page: onPage,
  production: async (_, steps) => {
    await packPackages();
    await toProduction(steps);
  },
};

const rows: string[] = [];
for (const name of namedParts(Object.keys(paths))) {
  console.log(name);
  const steps = new TimedSteps();
  // The repository installs its own Node, so any Node can start.
  const newcomer = await Newcomer.arrive("node");
  try {
    await paths[name]?.(newcomer, steps);
  } finally {
    await newcomer.leave();
  }
  rows.push(...steps.steps.map(({ what, seconds }) => `| ${name} | ${what} | ${seconds.toFixed(1)} s |`));
}
console.log(`\n| path | step | time |\n| --- | --- | --- |\n${rows.join("\n")}`);
