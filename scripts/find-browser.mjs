// Finds the browser for the browser tests: an installed one, otherwise Playwright's, otherwise the Debian package.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { installDebianPackages } from "./debian-packages.mjs";
import { runCommand } from "./run-command.mjs";
import { findNode, findTool, root } from "./workspace.mjs";

const shell = "chromium-headless-shell";
const whole = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const elsewhere = [
  "/usr/bin/chromium",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
  String.raw`C:\Program Files (x86)\Google\Chrome\Application\chrome.exe`,
];

/**
 * Finds a Chromium that starts; installs one if there is none.
 *
 * @param {"any" | "whole"} kind `whole` finds a full browser. `any` prefers the headless shell, in which the browser
 *   tests take half the time because it draws less in a frame
 * @returns {Promise<string>} its path
 */
export async function findBrowser(kind = "any") {
  const named = process.env["NITKA_CHROMIUM"];
  if (named) {
    if (await starts(named)) return named;
    throw new Error(`NITKA_CHROMIUM is ${named}, but no browser starts there. Name a Chromium or Chrome, or unset it.`);
  }
  const names = kind === "whole" ? whole : [shell, ...whole];
  return (await installed(names)) ?? (await playwrightBrowser()) ?? (await debianBrowser(names)) ?? noBrowser();
}

/** @param {readonly string[]} names */
async function installed(names) {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter(Boolean);
  const paths = [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...elsewhere];
  for (const path of paths) if (await starts(path)) return path;
  return undefined;
}

async function playwrightBrowser() {
  const node = findNode();
  const ask = "console.log(require('playwright-core').chromium.executablePath())";
  const { ok, output } = await runCommand(node, ["-e", ask], { cwd: join(root, "tests") });
  const path = output.trim();
  if (!ok || (await starts(path))) return ok ? path : undefined;
  console.log("Installing a browser for the browser tests (playwright install chromium), once …");
  await runCommand(node, [findTool("@playwright/test", "playwright"), "install", "chromium"], { timeoutMs: 300_000 });
  return (await starts(path)) ? path : undefined;
}

/** @param {readonly string[]} names the first is also the name of the Debian package */
async function debianBrowser(names) {
  await installDebianPackages(names.slice(0, 1), "a browser for the browser tests");
  return installed(names);
}

/**
 * @returns {never}
 */
function noBrowser() {
  throw new Error(
    "The browser tests need a browser, and none was found or could be installed: install Chromium or Chrome, or name " +
      "one in NITKA_CHROMIUM.",
  );
}

/**
 * Whether the browser runs. Some systems have a placeholder under its name, or lack its libraries.
 *
 * @param {string} path
 */
async function starts(path) {
  if (!existsSync(path)) return false;
  // Chrome on Windows opens a window instead of printing its version.
  if (process.platform === "win32") return true;
  return (await runCommand(path, ["--version"], { timeoutMs: 20_000 })).ok;
}
