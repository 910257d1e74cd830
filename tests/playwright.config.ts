import { availableParallelism } from "node:os";
import { defineConfig } from "@playwright/test";
import { findBrowser } from "../scripts/find-browser.mjs";
import type { BackendKind } from "./browser/backend.ts";

const report = process.env["PLAYWRIGHT_JSON_OUTPUT_NAME"];
/**
 * A test runs against our own server. With the tag `both` it also runs against a backend with only the specification's
 * operations, because the widget sends it other requests or gets other answers. With the tag `plain` it runs only against that
 * backend.
 */
export default defineConfig<{ backend: BackendKind }>({
  testDir: "browser",
  outputDir: "test-results",
  fullyParallel: true,
  // A test waits a third of its time: for a frame, a timer, a response. Three tests use two cores.
  workers: Math.min(Math.ceil(1.5 * availableParallelism()), 8),
  // The time-outs of all tests. They only end tests that hang: on a slow and busy machine, milliseconds become seconds.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  reporter: report === undefined ? [["dot"]] : [["dot"], ["json", { outputFile: report }]],
  use: {
    viewport: { width: 1280, height: 800 },
    locale: "ru-RU",
    timezoneId: "Europe/Moscow",
    trace: "off",
    // Frames take a sixth of the browser's processor time. Tests whose subject moves use `motion`.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: {
      executablePath: await findBrowser(),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  projects: [
    { name: "server", use: { backend: "server" }, grepInvert: /@plain/ },
    { name: "plain", use: { backend: "plain" }, grep: /@plain|@both/ },
  ],
});
