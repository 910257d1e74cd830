/** The program: `nitka` in a shell, `npm start` in the repository. */
import { runCommand } from "./run-command.ts";

process.stdout.on("error", (error) => {
  process.stderr.write(`Standard output cannot be written (${error.message}).\n`);
  process.exit(1);
});

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  clock: () => new Date(),
  onSignal: (listener) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, listener);
    // `npm start` opens an IPC channel. It closes when the parent process dies, which could then no longer stop the program.
    process.once("disconnect", () => listener("SIGINT"));
  },
});

// Exits even when something still keeps the event loop alive, such as a connection to a database that no longer responds.
process.exit();
