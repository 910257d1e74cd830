// `npm test`: installs what is missing and runs all steps, or the named ones: `npm test -- unit browser`. `all` names those
// that it runs without names.

import { availableParallelism } from "node:os";
import { setup } from "./setup.mjs";
import { ensureBuilt, steps } from "./test-steps.mjs";

/** @typedef {import("./test-steps.mjs").Step} Step */
/** @typedef {import("./test-steps.mjs").Outcome} Outcome */

/** @type {Outcome} */
const noBuild = { passed: 0, failed: 1, output: "Not run: it needs the built widget, and the build failed." };

const started = performance.now();
const total = { passed: 0, failed: 0 };

try {
  const chosen = choose(process.argv.slice(2));
  await setup();
  await runAll(chosen);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  total.failed += 1;
}
console.log(`\n${seconds(started)} in all`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;

/**
 * @param {readonly string[]} names
 * @returns {readonly Step[]}
 */
function choose(names) {
  const unknown = names.find((name) => name !== "all" && !steps.some((step) => step.name === name));
  const isAll = names.length === 0 || names.includes("all");
  if (unknown === undefined)
    return steps.filter(({ name, onlyByName }) => names.includes(name) || (isAll && !onlyByName));
  const list = steps.map(({ name, what }) => `  ${name.padEnd(12)}${what}`).join("\n");
  throw new Error(`There is no step «${unknown}». The steps are:\n${list}`);
}

/**
 * Runs the steps in their order: one that runs alone by itself, and those between two such as many at a time as there are
 * cores.
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
    // The build has a core for itself until it is over.
    await Promise.all([built.then(lane), ...Array.from({ length: availableParallelism() - 1 }, lane)]);
  }
  await built;
}

/**
 * @param {readonly Step[]} some
 * @returns {readonly (readonly Step[])[]} the steps that run at a time, in their order
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
  const { passed, failed, skipped = 0, output } = outcome;
  total.passed += passed;
  total.failed += failed;
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
