import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readPlaywrightReport, readVitestReport } from "./read-report.mjs";

const folder = mkdtempSync(join(tmpdir(), "nitka-report-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("counts vitest's tests, and a file that cannot be loaded as one failure", () => {
  const path = report({
    numPassedTests: 3,
    numFailedTests: 1,
    numPendingTests: 2,
    numTodoTests: 0,
    testResults: [
      { status: "passed", assertionResults: [{ status: "passed", fullName: "a list is sorted", duration: 1500 }] },
      { status: "failed", assertionResults: [{ status: "failed", fullName: "a list has an end" }] },
      { status: "failed", assertionResults: [] },
    ],
  });
  expect(readVitestReport(path)).toEqual({
    passed: 3,
    failed: 2,
    skipped: 2,
    timed: [
      { test: "a list is sorted", seconds: 1.5 },
      { test: "a list has an end", seconds: 0 },
    ],
  });
});

it("counts Playwright's tests, and a flaky test and an error outside of tests as failures", () => {
  const path = report({
    stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 2 },
    errors: [{ message: "no server" }],
    suites: [
      {
        specs: [{ title: "chats", tests: [{ results: [{ duration: 700 }] }] }],
        suites: [{ specs: [{ title: "stops", tests: [{ results: [{ duration: 30 }] }] }] }],
      },
    ],
  });
  const timed = [
    { test: "chats", seconds: 0.7 },
    { test: "stops", seconds: 0.03 },
  ];
  expect(readPlaywrightReport(path)).toEqual({ passed: 5, failed: 3, skipped: 2, timed });
});

it("counts nothing when there is no report", () => {
  const nowhere = join(folder, "nowhere.json");
  expect(readVitestReport(nowhere)).toEqual({ passed: 0, failed: 0, skipped: 0, timed: [] });
  expect(readPlaywrightReport(nowhere)).toEqual({ passed: 0, failed: 0, skipped: 0, timed: [] });
});

/** @param {unknown} content */
function report(content) {
  const path = join(folder, "report.json");
  writeFileSync(path, JSON.stringify(content));
  return path;
}
