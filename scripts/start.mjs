// `npm start`: installs and builds what is missing, then runs the program until it is told to stop.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { buildWidget, isWidgetBuilt } from "./build-widget.mjs";
import { setup } from "./setup.mjs";
import { findNode, root } from "./workspace.mjs";

/**
 * V8 lets what is young take three times as much as this, in megabytes, before it looks what of it lives. A
 * thousand open streams fill what it takes by itself with what is dead; with less it looks too often.
 */
const YOUNG_MB = 32;

try {
  await setup();
  if (!isWidgetBuilt()) {
    console.log("Building the widget …");
    const { ok, output } = await buildWidget();
    if (!ok) throw new Error(`The widget could not be built:\n${output}`);
  }
  runProgram(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** @param {readonly string[]} args */
function runProgram(args) {
  // A process group of its own: a Ctrl+C in the terminal reaches npm, this script and the program alike, and npm passes
  // it on once more. So it is this script alone that tells the program, and tells it once.
  const main = join(root, "apps", "nitka", "src", "main.ts");
  const program = spawn(findNode(), [`--max-semi-space-size=${YOUNG_MB}`, main, ...args], {
    // The channel closes with this script, however it ends: the program then ends, too.
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    detached: process.platform !== "win32",
  });
  let stopping = false;
  let mayInsist = false;
  /** @param {NodeJS.Signals} signal */
  const stop = (signal) => {
    if (!stopping) program.kill(signal === "SIGTERM" ? "SIGTERM" : "SIGINT");
    // A second Ctrl+C is a visitor's impatience only when it comes later: the first may arrive twice.
    else if (mayInsist) program.kill("SIGKILL");
    stopping = true;
    setTimeout(() => (mayInsist = true), 1000).unref();
  };
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(signal, stop);
  if (process.env["npm_lifecycle_event"]) watchParent(() => stop("SIGINT"));
  program.once("error", (error) => {
    console.error(`The program could not be started: ${error.message}`);
    process.exitCode = 1;
  });
  program.once("exit", (code) => process.exit(stopping ? 0 : (code ?? 1)));
}

/**
 * Who ends npm itself ends the shell between npm and this script, and nobody tells us: we are handed to another parent.
 *
 * @param {() => void} onOrphaned
 */
function watchParent(onOrphaned) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    onOrphaned();
  }, 500);
}
