// Finds Firefox and WebKit for the tests in several engines: installed ones, otherwise the Debian packages.

import { existsSync } from "node:fs";
import { installDebianPackages, onPath } from "./debian-packages.mjs";
import { runCommand } from "./run-command.mjs";

/**
 * Finds a Firefox that starts; installs one if there is none.
 *
 * @returns {Promise<string>} its path
 */
export async function findFirefox() {
  const named = process.env["NITKA_FIREFOX"];
  if (named) {
    if (await starts(named)) return named;
    throw new Error(`NITKA_FIREFOX is ${named}, but no browser starts there. Name a Firefox, or unset it.`);
  }
  const found = await installedFirefox();
  if (found !== undefined) return found;
  await installDebianPackages(["firefox-esr"], "Firefox for the tests in three engines");
  const installed = await installedFirefox();
  if (installed !== undefined) return installed;
  throw new Error(
    "The tests in three engines need Firefox, and none was found or could be installed: install Firefox (Debian's " +
      "package is firefox-esr), or name one in NITKA_FIREFOX.",
  );
}

/**
 * Finds WebKitGTK's WebDriver and Xvfb as its display, and installs what is missing.
 *
 * @returns {Promise<{ readonly webDriver: string, readonly screen: string }>} the paths of the two
 */
export async function findWebKit() {
  const found = installedWebKit();
  if (found) return found;
  await installDebianPackages(["webkit2gtk-driver", "xvfb"], "WebKit for the tests in three engines");
  const installed = installedWebKit();
  if (installed) return installed;
  throw new Error(
    "The tests in three engines need WebKitWebDriver and Xvfb, and they were neither found nor could be installed. " +
      "They exist for Linux: install Debian's packages webkit2gtk-driver and xvfb, or leave the step `engines` out.",
  );
}

async function installedFirefox() {
  const elsewhere = [
    "/Applications/Firefox.app/Contents/MacOS/firefox",
    String.raw`C:\Program Files\Mozilla Firefox\firefox.exe`,
  ];
  const paths = [onPath("firefox-esr"), onPath("firefox"), ...elsewhere].filter((path) => path !== undefined);
  for (const path of paths) if (await starts(path)) return path;
  return undefined;
}

function installedWebKit() {
  const webDriver = onPath("WebKitWebDriver");
  const screen = onPath("Xvfb");
  return webDriver !== undefined && screen !== undefined ? { webDriver, screen } : undefined;
}

/** @param {string} path */
async function starts(path) {
  return existsSync(path) && (await runCommand(path, ["--version"], { timeoutMs: 20_000 })).ok;
}
