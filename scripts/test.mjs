// `npm test`: installs what is missing and runs the steps for every change, or the named ones: `npm test -- unit browser`.
// `all` means every step except those that run only by their own name.

import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { setup } from "./setup.mjs";
import { ensureBuilt, steps } from "./test-steps.mjs";
import { root } from "./workspace.mjs";

/** @typedef {import("./test-steps.mjs").Step} Step */
/** @typedef {import("./test-steps.mjs").Outcome} Outcome */

/** @type {Outcome} */
const noBuild = { passed: 0, failed: 1, output: "Not run: it needs the built widget, and the build failed." };

const started = performance.now();
const total = { passed: 0, failed: 0 };

/** The times of the steps and of the slowest tests in the last run. */
const timesFile = join(root, "node_modules", ".cache", "nitka", "times.json");
const SLOWEST = 20;

/** @type {{ readonly step: string, readonly seconds: number }[]} */
const stepTimes = [];
/** @type {import("./read-report.mjs").Timed[]} */
const testTimes = [];

const names = process.argv.slice(2);
try {
  const chosen = choose(names);
  await setup();
  await runAll(chosen);
  writeTimes();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  total.failed += 1;
}
console.log(`\n${seconds(started)} in all`);
console.log(`${total.passed} passed, ${total.failed} failed`);
if (names.length === 0) console.log(`Not run: ${namesOf("all")} (npm test -- all), ${namesOf("named")} (by name)`);
process.exitCode = total.failed > 0 ? 1 : 0;

/**
 * @param {readonly string[]} names
 * @returns {readonly Step[]}
 */
function choose(names) {
  const unknown = names.find((name) => name !== "all" && !steps.some((step) => step.name === name));
  if (unknown === undefined) {
    return steps.filter(
      ({ name, only }) =>
        names.includes(name) || (names.length === 0 && !only) || (names.includes("all") && (!only || only === "all")),
    );
  }
  const list = steps.map(({ name, what }) => `  ${name.padEnd(12)}${what}`).join("\n");
  throw new Error(`There is no step «${unknown}». The steps are:\n${list}`);
}

/** @param {Step["only"]} part */
function namesOf(part) {
  return steps.flatMap(({ name, only }) => (only === part ? [name] : [])).join(" ");
}

/** Writes the times of the steps and of the slowest tests, for engineers who want to make them faster. */
function writeTimes() {
  const slowest = testTimes.toSorted((one, other) => other.seconds - one.seconds).slice(0, SLOWEST);
  mkdirSync(dirname(timesFile), { recursive: true });
  writeFileSync(timesFile, `${JSON.stringify({ steps: stepTimes, slowest }, undefined, 2)}\n`);
}

/**
 * Runs the steps in order. A step that runs alone runs by itself; the steps between two such steps run at the same time, as
 * many as there are cores.
 *
 * @param {readonly Step[]} chosen
 */
async function runAll(chosen) {
  const building = chosen.find(({ name }) => name === "build");
  const built = building
    ? runOne(building).then(({ failed }) => failed === 0)
    : chosen.some(({ needsBuild }) => needsBuild)
      ? ensureBuilt().then(({ ok, output }) => ok || reportNoBuild(output))
      : Promise.resolve(true);

  for (const group of groupsOf(chosen.filter((step) => step !== building))) {
    const queue = [...group];
    const lane = async () => {
      for (let step = queue.shift(); step; step = queue.shift()) await runOne(step, built);
    };
    // The build has a core for itself until it is done.
    await Promise.all([built.then(lane), ...Array.from({ length: availableParallelism() - 1 }, lane)]);
  }
  await built;
}

/**
 * The groups of steps that run at the same time, in order.
 *
 * @param {readonly Step[]} some
 * @returns {readonly (readonly Step[])[]}
 */
function groupsOf(some) {
  /** @type {Step[][]} */
  const groups = [];
  for (const step of some) {
    const last = groups.at(-1);
    if (last && !step.alone && !last[0]?.alone) last.push(step);
    else groups.push([step]);
  }
  return groups;
}

/** @param {string} output */
function reportNoBuild(output) {
  console.log(`The widget could not be built:\n${output}`);
  return false;
}

/**
 * @param {Step} step
 * @param {Promise<boolean>} [built]
 * @returns {Promise<Outcome>}
 */
async function runOne(step, built) {
  const began = performance.now();
  const outcome = step.needsBuild && !(await built) ? noBuild : await step.run().catch(broken);
  const { passed, failed, skipped = 0, output, timed = [] } = outcome;
  total.passed += passed;
  total.failed += failed;
  stepTimes.push({ step: step.name, seconds: Math.round((performance.now() - began) / 100) / 10 });
  testTimes.push(...timed);
  const counts = [
    passed + failed > 1 && `${passed} passed`,
    failed > 0 && (passed + failed > 1 ? `${failed} failed` : "failed"),
    skipped > 0 && `${skipped} skipped`,
  ].filter(Boolean);
  console.log(
    `${failed > 0 ? "✗" : "✓"} ${step.name.padEnd(12)}${seconds(began).padStart(8)}  ${counts.join(", ")}`.trimEnd(),
  );
  if (failed > 0) console.log(`\n${output.trim()}\n`);
  return outcome;
}

/**
 * @param {unknown} error
 * @returns {Outcome}
 */
function broken(error) {
  return { passed: 0, failed: 1, output: error instanceof Error ? error.message : String(error) };
}

/** @param {number} since */
function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
