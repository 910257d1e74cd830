// Reads the results from the test runners' JSON reports.

import { existsSync, readFileSync } from "node:fs";

/**
 * @typedef {object} Timed
 * @property {string} test
 * @property {number} seconds
 *
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {readonly Timed[]} timed
 */

/**
 * @param {string} path
 * @returns {Counts}
 */
export function readVitestReport(path) {
  const report = readJson(path);
  /** @type {{ status: string, assertionResults: { status: string, fullName: string, duration?: number }[] }[]} */
  const files = report.testResults ?? [];
  // A file that could not be loaded has failed, although none of its tests has.
  const broken = files.filter(
    ({ status, assertionResults }) => status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  );
  return {
    passed: report.numPassedTests ?? 0,
    failed: (report.numFailedTests ?? 0) + broken.length,
    skipped: (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0),
    timed: files.flatMap(({ assertionResults }) =>
      assertionResults.map(({ fullName, duration = 0 }) => ({ test: fullName, seconds: duration / 1000 })),
    ),
  };
}

/**
 * @param {string} path
 * @returns {Counts}
 */
export function readPlaywrightReport(path) {
  const { stats = {}, errors = [], suites = [] } = readJson(path);
  return {
    passed: stats.expected ?? 0,
    // A test that passes only when it is repeated counts as failed.
    failed: (stats.unexpected ?? 0) + (stats.flaky ?? 0) + errors.length,
    skipped: stats.skipped ?? 0,
    timed: suites.flatMap(timedIn),
  };
}

/**
 * @typedef {object} Suite
 * @property {readonly Suite[]} [suites]
 * @property {readonly { readonly title: string, readonly tests: readonly { readonly results: readonly { readonly duration: number }[] }[] }[]} [specs]
 *
 * @param {Suite} suite
 * @returns {readonly Timed[]}
 */
function timedIn({ suites = [], specs = [] }) {
  const own = specs.flatMap(({ title, tests }) =>
    tests.flatMap(({ results }) => results.map(({ duration }) => ({ test: title, seconds: duration / 1000 }))),
  );
  return [...own, ...suites.flatMap(timedIn)];
}

/**
 * A report, or an empty one if the runner has not written it.
 *
 * @param {string} path
 */
function readJson(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}
