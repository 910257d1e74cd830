// `npm start`: installs and builds what is missing, then runs the program until a signal stops it.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { buildWidget, isWidgetBuilt } from "./build-widget.mjs";
import { setup } from "./setup.mjs";
import { findNode, root } from "./workspace.mjs";

/**
 * The size of V8's semi-space in megabytes; the young generation is three times as large. With the default, a thousand open
 * streams fill the young generation so quickly that V8 collects it too often.
 */
const SEMI_SPACE_MB = 32;

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
  // The program has its own process group if the system supports that. Otherwise Ctrl+C in a terminal would reach it several
  // times: the terminal sends the signal to npm, this script and the program, and npm forwards it.
  const main = join(root, "apps", "nitka", "src", "main.ts");
  const program = spawn(findNode(), [`--max-semi-space-size=${SEMI_SPACE_MB}`, main, ...args], {
    // The IPC channel closes when this script ends for any reason, and the program then stops as well.
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    detached: process.platform !== "win32",
  });
  let stopping = false;
  let mayKill = false;
  /** @param {NodeJS.Signals} signal */
  const stop = (signal) => {
    // The signal is sent as a message, because on Windows `kill` ends a process at once, whatever the signal.
    if (!stopping) program.send({ stop: signal === "SIGTERM" ? "SIGTERM" : "SIGINT" }, () => undefined);
    // A signal within the first second may be the same Ctrl+C, delivered twice. A later one kills the program.
    else if (mayKill) program.kill("SIGKILL");
    stopping = true;
    setTimeout(() => (mayKill = true), 1000).unref();
  };
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.on(signal, stop);
  // On SIGHUP the program reads its file of projects again. A terminal that closes also sends it, but then npm ends too.
  process.on("SIGHUP", () => program.send({ reload: true }, () => undefined));
  if (process.env["npm_lifecycle_event"]) watchParent(() => stop("SIGINT"));
  program.once("error", (error) => {
    console.error(`The program could not be started: ${error.message}`);
    process.exitCode = 1;
  });
  program.once("exit", (code) => process.exit(stopping ? 0 : (code ?? 1)));
}

/**
 * Calls back when the parent process has died, which npm does not announce. Most operating systems then give this process
 * another parent; Windows keeps the id of the dead one.
 *
 * @param {() => void} onOrphaned
 */
function watchParent(onOrphaned) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent && isAlive(parent)) return;
    clearInterval(watch);
    onOrphaned();
  }, 500);
}

/** @param {number} id of a process */
function isAlive(id) {
  try {
    return process.kill(id, 0);
  } catch (error) {
    // Any other error means that the process exists and belongs to another user.
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}
