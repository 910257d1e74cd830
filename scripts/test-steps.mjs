// The steps of `npm test`, in order.

import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { buildWidget, isWidgetBuilt } from "./build-widget.mjs";
import { filesBelow } from "./files-below.mjs";
import { findBrowser } from "./find-browser.mjs";
import { findFirefox, findWebKit } from "./find-engines.mjs";
import { readPlaywrightReport, readVitestReport } from "./read-report.mjs";
import { runCommand } from "./run-command.mjs";
import { runCompiler } from "./run-compiler.mjs";
import { findNode, findTool, root } from "./workspace.mjs";

/**
 * @typedef {object} Outcome
 * @property {number} passed A step without tests counts as one.
 * @property {number} failed
 * @property {number} [skipped]
 * @property {string} output Printed when the step fails.
 * @property {readonly import("./read-report.mjs").Timed[]} [timed] Its tests, with their times.
 *
 * @typedef {object} Step
 * @property {string} name
 * @property {string} what A description for `npm test -- ?`.
 * @property {boolean} [alone] It runs alone, because it uses all cores or other steps would disturb it. The steps between two
 *   such run at the same time, so the longest stands first.
 * @property {"all" | "named" | "part"} [only] `npm test` leaves it out: `npm test -- all` runs it, or it runs by its own name
 *   alone, or it is a part of another step.
 * @property {boolean} [needsBuild] It needs the built widget.
 * @property {() => Promise<Outcome>} run
 */

/**
 * The browser tests that run at each change. A project's name precedes its titles. Only `all` runs them against both backends.
 */
const CORE = "^(?!plain .*@both).*@core";

/** @type {readonly Step[]} */
export const steps = [
  { name: "build", what: "builds the widget", run: build },
  {
    name: "lint",
    what: "oxlint with type information",
    run: () => check("oxlint", "oxlint", ["--type-aware", "--report-unused-disable-directives", "--deny-warnings"]),
  },
  {
    name: "unit",
    what: "unit tests, the widget's actions and transport against the server, and some random lives over two servers",
    // Some tests start the program like `npm start`, which would build the widget.
    needsBuild: true,
    // A single run of vitest, so that waiting tests leave the cores to others and to the checks that run at the same time.
    run: () =>
      vitest([
        "protocol",
        "widget",
        "widget-alone",
        "fuzz",
        "server",
        "demo-model",
        "desk",
        "conformance",
        "ai-sdk",
        "knowledge",
        "nitka",
        "scripts",
        "full-stack",
        "lives",
      ]),
  },
  { name: "types", what: "tsc for every folder", run: types },
  { name: "imports", what: "dependency-cruiser: imports between folders", run: imports },
  { name: "unused", what: "knip: unused files, exports and dependencies", run: () => check("knip", "knip", []) },
  {
    name: "house",
    what: "house rules: file names, forbidden comments, links in documents",
    run: () => script("check-house.mjs"),
  },
  {
    name: "size",
    what: "the size of the built widget",
    needsBuild: true,
    run: () => script("check-size.mjs"),
  },
  { name: "format", what: "oxfmt: formatting", run: () => check("oxfmt", "oxfmt", ["--check"]) },
  {
    name: "core",
    what: "the built widget in Chromium: a proof of each sentence of the specification, the main job, CSP, destroy, rejoining",
    alone: true,
    needsBuild: true,
    run: () => browser([`--grep=${CORE}`]),
  },
  {
    name: "full-stack",
    what: "of unit, the widget's actions and transport against the server",
    alone: true,
    only: "part",
    run: () => vitest(["full-stack"]),
  },
  {
    name: "lives",
    what: "of unit, the random lives over two servers, with faults",
    alone: true,
    only: "part",
    run: () => vitest(["lives"]),
  },
  {
    name: "long-lives",
    what: "a thousand random lives over two servers on one Postgres, and a thousand on SQLite",
    alone: true,
    only: "named",
    run: () => vitest(["lives"], [], { NITKA_LIVES_COUNT: "1000" }),
  },
  {
    name: "readings",
    what: "pages that harm their reader, and readings that are killed",
    only: "all",
    run: () => vitest(["readings"]),
  },
  {
    name: "packages",
    what: "the packages as npm installs them, on the oldest Node that they promise and on this one; the ways of docs/install.md",
    only: "all",
    needsBuild: true,
    run: () => packages("packages"),
  },
  {
    name: "examples",
    what: "tests of the examples",
    only: "all",
    needsBuild: true,
    run: () => vitest(["examples"]),
  },
  {
    name: "docs",
    what: "the code in the documents: types, commands, settings, a conversation",
    only: "all",
    needsBuild: true,
    run: () => vitest(["docs"]),
  },
  {
    name: "frameworks",
    what: "sites of Next, Astro and webpack with the packages; it installs 600 MB, and so runs only by name",
    alone: true,
    only: "named",
    needsBuild: true,
    run: () => packages("frameworks"),
  },
  {
    name: "compose",
    what: "compose.yaml and the Dockerfile in a real Docker, by the commands of docs/install.md; it runs only by name",
    alone: true,
    only: "named",
    run: () => packages("compose"),
  },
  {
    name: "deploy",
    what: "the steps of the Dockerfile, compose.yaml and the files of deploy/",
    only: "all",
    run: () => vitest(["deploy"]),
  },
  {
    name: "browser",
    what: "the built widget in Chromium, the other browser tests",
    only: "all",
    alone: true,
    needsBuild: true,
    run: () => browser([`--grep-invert=${CORE}`]),
  },
  {
    name: "engines",
    what: "the built widget in Chromium, Firefox and WebKit, the main scenarios",
    only: "all",
    alone: true,
    needsBuild: true,
    run: engines,
  },
];

/** Builds the widget for steps that need it, unless it is up to date. */
export async function ensureBuilt() {
  return isWidgetBuilt() ? { ok: true, output: "" } : buildWidget();
}

async function build() {
  return asOneCheck(await buildWidget());
}

/**
 * @param {string} packageName
 * @param {string} tool
 * @param {readonly string[]} args
 */
async function check(packageName, tool, args) {
  return asOneCheck(await node([findTool(packageName, tool), ...args]));
}

/** @param {string} name */
async function script(name) {
  return asOneCheck(await node([join(root, "scripts", name)]));
}

/**
 * Programs of the compiler that check several folders at once. Each folder's own `tsconfig.json` is for editors and packing.
 * Checking them one by one takes more than twice as long, because each reads the server and its libraries again.
 */
const together = {
  "tsconfig.server.json": [
    "packages/server",
    "packages/demo-model",
    "packages/desk",
    "packages/conformance",
    "packages/ai-sdk",
    "packages/knowledge",
    "apps/nitka",
  ],
  "tsconfig.tools.json": ["tests", "bench", "examples", "scripts"],
};

async function types() {
  const checkedTogether = new Set(
    Object.values(together)
      .flat()
      .map((folder) => join(root, folder, "tsconfig.json")),
  );
  const alone = ["packages", "apps", "tests", "bench", "examples", "scripts"]
    .flatMap((folder) => filesBelow(join(root, folder)))
    .filter((path) => /^tsconfig(\..+)?\.json$/.test(basename(path)) && !checkedTogether.has(path));
  const queue = [...Object.keys(together).map((name) => join(root, name)), ...alone];
  /** @type {Awaited<ReturnType<typeof runCompiler>>[]} */
  const results = [];
  const lane = async () => {
    for (let project = queue.shift(); project; project = queue.shift())
      results.push(await runCompiler(["-p", project]));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  return asOneCheck({ ok: results.every(({ ok }) => ok), output: results.map(({ output }) => output).join("") });
}

async function imports() {
  const folders = ["packages", "apps", "tests", "bench", "examples"];
  const { ok, output } = await node([findTool("dependency-cruiser", "depcruise"), ...folders]);
  // It warns about our version of TypeScript, which it does not need, because it reads the files with swc.
  return asOneCheck({ ok, output: output.replace(/^‼ missing-tsc-transpiler[^]*$/m, "") });
}

/**
 * Runs vitest.
 *
 * @param {readonly string[]} projects
 * @param {readonly string[]} [more] parts of the paths of the files to run (by default all), and options of vitest
 * @param {Record<string, string>} [env]
 */
async function vitest(projects, more = [], env = {}) {
  return withReport(async (report) => {
    const args = [
      findTool("vitest"),
      "run",
      "--passWithNoTests",
      "--reporter=minimal",
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...projects.map((project) => `--project=${project}`),
      ...more,
    ];
    const { ok, output } = await node(args, { env });
    return counted(ok, output, readVitestReport(report));
  });
}

/** @param {readonly string[]} which options of Playwright */
async function browser(which) {
  const chromium = await findBrowser();
  return withReport(async (report) => {
    const { ok, output } = await node([findTool("@playwright/test", "playwright"), "test", ...which], {
      cwd: join(root, "tests"),
      env: { NITKA_CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
    });
    return counted(ok, output, readPlaywrightReport(report));
  });
}

/** @param {string} project */
async function packages(project) {
  await findBrowser();
  return vitest([project]);
}

async function engines() {
  // The browsers are found one after the other and before the tests, because each may have to be installed.
  await findBrowser();
  await findBrowser("whole");
  await findFirefox();
  // A browser keeps a core busy, so no more run at a time than there are cores.
  const workers = "--maxWorkers=100%";
  if (process.platform === "linux") {
    await findWebKit();
    return vitest(["engines"], [workers]);
  }
  console.log("WebKit is not tested: the engine with a WebDriver of its own, WebKitGTK, exists for Linux only.");
  return vitest(["engines"], ["chromium", "firefox", workers]);
}

/** Node's compile cache. The tests start hundreds of processes, and with the cache a start takes half the time. */
const compiled = join(root, "node_modules", ".cache", "nitka", "compiled");

/**
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: Record<string, string> }} [options]
 */
function node(args, { cwd = root, env = {} } = {}) {
  return runCommand(findNode(), args, {
    cwd,
    env: { ...env, NO_COLOR: "1", FORCE_COLOR: undefined, NODE_COMPILE_CACHE: compiled },
    timeoutMs: 30 * 60_000,
  });
}

/**
 * @param {{ readonly ok: boolean, readonly output: string }} result
 * @returns {Outcome}
 */
function asOneCheck({ ok, output }) {
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, output };
}

/**
 * @param {boolean} ok
 * @param {string} output
 * @param {import("./read-report.mjs").Counts} counts
 * @returns {Outcome}
 */
function counted(ok, output, counts) {
  // A failure outside the tests, such as an unhandled error or a broken configuration, counts as one.
  return { ...counts, failed: ok ? counts.failed : Math.max(counts.failed, 1), output };
}

/**
 * @param {(report: string) => Promise<Outcome>} run
 */
async function withReport(run) {
  const folder = mkdtempSync(join(tmpdir(), "nitka-test-"));
  try {
    return await run(join(folder, "report.json"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
