// What the test runners' JSON reports come to.

import { existsSync, readFileSync } from "node:fs";

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

/**
 * @param {string} path
 * @returns {Counts}
 */
export function readVitestReport(path) {
  const report = readJson(path);
  // A file that could not even be loaded has failed without a single test of its own having done so.
  const broken = (report.testResults ?? []).filter(
    (/** @type {{ status: string, assertionResults: { status: string }[] }} */ file) =>
      file.status === "failed" && !file.assertionResults.some(({ status }) => status === "failed"),
  );
  return {
    passed: report.numPassedTests ?? 0,
    failed: (report.numFailedTests ?? 0) + broken.length,
    skipped: (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0),
  };
}

/**
 * @param {string} path
 * @returns {Counts}
 */
export function readPlaywrightReport(path) {
  const { stats = {}, errors = [] } = readJson(path);
  return {
    passed: stats.expected ?? 0,
    // A test that passes only when repeated has failed once.
    failed: (stats.unexpected ?? 0) + (stats.flaky ?? 0) + errors.length,
    skipped: stats.skipped ?? 0,
  };
}

/**
 * A report, or an empty one where the runner did not come to write it.
 *
 * @param {string} path
 */
function readJson(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}
