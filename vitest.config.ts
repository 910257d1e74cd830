import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";

/**
 * The limits of all tests. They end what hangs, and nothing else: on a slow machine that is busy with other things, what takes
 * milliseconds takes seconds, and a hook may install packages.
 */
const patient = { expect: { poll: { timeout: 60_000, interval: 20 } }, testTimeout: 300_000, hookTimeout: 600_000 };

/**
 * The test files that share a worker share its modules too, which saves a third of the time. That is safe because nothing is
 * kept at module level, and each test undoes what it does to a global.
 */
const shared = { ...patient, isolate: false };

/** These define the page's custom element, which a page can do only once, or replace a module. */
const alone = [
  "src/element/*.test.ts",
  "src/loader.test.ts",
  "src/old-browser.test.ts",
  "src/actions/load-attachments.test.ts",
];

/**
 * The random lives and texts take longer than any other files. Vitest runs the projects by their names: in one of their own
 * they begin early, and do not run on alone after all the others.
 */
const fuzz = [
  "src/fuzz/*.test.ts",
  "src/markdown/{commonmark-examples,markdown-document,block-limits,streamed-snapshots}.test.ts",
];

/**
 * Vitest ends a worker when the next file of its project needs another environment. With the files of an environment
 * together, a worker lasts as long as they do, and loads their modules once.
 */
class ByEnvironment extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // Not `super.sort`, which the linter takes for the sort of an array.
    const sorted = await BaseSequencer.prototype.sort.call(this, files);
    const groups = Map.groupBy(sorted, ({ project, moduleId }) => {
      const isPlain = readFileSync(moduleId, "utf8").includes("// @vitest-environment node");
      return `${project.name} ${isPlain ? "without" : "with"} a page`;
    });
    return [...groups.values()].flat();
  }
}

/** Pages that do harm, and readings that are killed: they take as long as all other tests of `knowledge` five times. */
const hardReadings = ["src/reading/{bad-input,killed-reading}.test.ts"];

export default defineConfig({
  test: {
    sequence: { sequencer: ByEnvironment },
    // Many tests wait for a process, a database or a browser: three files at a time use two cores.
    maxWorkers: Math.min(Math.ceil(1.5 * availableParallelism()), 8),
    projects: [
      ...["protocol", "server", "demo-model", "desk", "conformance", "ai-sdk"].map((name) => ({
        test: { ...shared, name, root: `packages/${name}`, include: ["src/**/*.test.ts"] },
      })),
      {
        test: {
          ...shared,
          name: "knowledge",
          root: "packages/knowledge",
          include: ["src/**/*.test.ts"],
          exclude: hardReadings,
        },
      },
      { test: { ...shared, name: "readings", root: "packages/knowledge", include: hardReadings } },
      {
        test: {
          ...shared,
          name: "widget",
          root: "packages/widget",
          include: ["*.test.ts", "src/**/*.test.{ts,tsx}"],
          exclude: [...alone, ...fuzz],
          environment: "happy-dom",
        },
      },
      {
        test: { ...shared, name: "fuzz", root: "packages/widget", include: fuzz, environment: "happy-dom" },
      },
      {
        test: {
          ...shared,
          isolate: true,
          name: "widget-alone",
          root: "packages/widget",
          include: alone,
          environment: "happy-dom",
        },
      },
      { test: { ...shared, name: "nitka", root: "apps/nitka", include: ["src/**/*.test.ts"] } },
      { test: { ...shared, name: "scripts", root: "scripts", include: ["**/*.test.mjs"] } },
      { test: { ...shared, name: "full-stack", root: "tests", include: ["full-stack/**/*.test.ts"] } },
      { test: { ...patient, name: "lives", root: "tests", include: ["lives/*.test.ts"] } },
      { test: { ...patient, name: "examples", root: "examples", include: ["*/*.test.{ts,mjs}"] } },
      {
        test: {
          ...patient,
          name: "packages",
          root: "tests",
          include: ["packages/*.test.ts", "ways/*.test.ts"],
          globalSetup: join(import.meta.dirname, "tests", "packages", "pack.ts"),
        },
      },
      { test: { ...patient, name: "docs", root: "tests", include: ["docs/*.test.ts"] } },
      { test: { ...patient, name: "deploy", root: "tests", include: ["deploy/*.test.ts"] } },
      {
        test: {
          ...patient,
          name: "frameworks",
          root: "tests",
          include: ["packages/slow/*.test.ts"],
          globalSetup: join(import.meta.dirname, "tests", "packages", "pack.ts"),
        },
      },
      {
        test: { ...patient, name: "compose", root: "tests", include: ["ways/compose/*.test.ts"] },
      },
      { test: { ...patient, name: "engines", root: "tests", include: ["engines/*.test.ts"] } },
    ],
  },
});
