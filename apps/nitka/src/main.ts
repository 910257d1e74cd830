/** The program: `nitka` in a shell, `npm start` in the repository. */
import { runCommand } from "./run-command.ts";

process.stdout.on("error", (error) => {
  process.stderr.write(`Standard output takes no more (${error.message}).\n`);
  process.exit(1);
});

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  clock: () => new Date(),
  onSignal: (listener) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, listener);
    // `npm start` runs the program with a channel: when that closes, nobody is left who could stop it.
    process.once("disconnect", () => listener("SIGINT"));
  },
});

// Nothing is left to do: what still holds the process, such as a database that no longer answers, does not count.
process.exit();
