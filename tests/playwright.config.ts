import { defineConfig } from "@playwright/test";
import { findBrowser } from "../scripts/find-browser.mjs";
import type { BackendKind } from "./browser/backend.ts";

const report = process.env["PLAYWRIGHT_JSON_OUTPUT_NAME"];
/**
 * Every test runs against our own server and against a backend with the specification's operations only. A test that is
 * valid for one of them has its tag. The tests in `browser/view` do not depend on the backend and run once, against our
 * own server.
 */
export default defineConfig<{ backend: BackendKind }>({
  testDir: "browser",
  outputDir: "test-results",
  fullyParallel: true,
  workers: 2,
  timeout: 20_000,
  expect: { timeout: 5_000 },
  forbidOnly: true,
  reporter: report === undefined ? [["dot"]] : [["dot"], ["json", { outputFile: report }]],
  use: {
    viewport: { width: 1280, height: 800 },
    locale: "ru-RU",
    timezoneId: "Europe/Moscow",
    trace: "off",
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
    { name: "plain", use: { backend: "plain" }, grepInvert: /@server/, testIgnore: "view/**" },
  ],
});
