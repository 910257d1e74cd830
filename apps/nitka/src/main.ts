/** The program: `nitka` in a shell, `npm start` in the repository. */
import { runCommand } from "./run-command.ts";
import { listenForReloads, listenForStops } from "./stop-requests.ts";

process.stdout.on("error", (error) => {
  process.stderr.write(`Standard output cannot be written (${error.message}).\n`);
  process.exit(1);
});

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  clock: () => new Date(),
  onSignal: (listener) => listenForStops(process, listener),
  onReload: (listener) => listenForReloads(process, listener),
});

// Exits even when something still keeps the event loop alive, such as a connection to a database that no longer
// responds.
process.exit();
