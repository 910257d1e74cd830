import { spawn } from "node:child_process";
import type { SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { runCommand } from "../../../scripts/run-command.mjs";

/** A program that has printed its address. */
export interface StartedProgram {
  /** Without a slash at the end. */
  readonly url: string;
  /** Sends a signal, also to the processes that a program in its own process group has started. Resolves with the exit code. */
  end(signal: "SIGINT" | "SIGTERM" | "SIGKILL"): Promise<number | null>;
}

/** The program as a process. */
export interface NitkaProcess {
  /** The address that it listens on, with a slash at the end. */
  readonly url: string;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Sends SIGTERM, like a release. Resolves with the exit code. */
  terminate(): Promise<number | null>;
}

type Settings = Readonly<Record<string, string>>;

const nitka = fileURLToPath(new URL("../../../apps/nitka/bin/nitka.mjs", import.meta.url));

/** Starts the program of the repository. */
export async function startNitka(settings: Settings): Promise<NitkaProcess> {
  const env = { ...process.env, PORT: "0", HOST: "127.0.0.1", LOG_LEVEL: "error", ...settings };
  const program = await startProgram(process.execPath, [nitka], { env, stdio: ["ignore", "pipe", "inherit"] });
  return {
    url: `${program.url}/`,
    kill: async () => void (await program.end("SIGKILL")),
    terminate: () => program.end("SIGTERM"),
  };
}

/** Runs a command of the program, such as `usage`. Resolves with its output. */
export async function runNitka(args: readonly string[], settings: Settings): Promise<string> {
  const { ok, output } = await runCommand(process.execPath, [nitka, ...args], {
    env: { LOG_LEVEL: "error", ...settings },
  });
  if (!ok) throw new Error(`nitka ${args.join(" ")} failed: ${output}`);
  return output;
}

/** Starts a program. Resolves when it prints its address. */
export async function startProgram(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): Promise<StartedProgram> {
  const child = spawn(command, args, options);
  const ended = once(child, "close") as Promise<[number | null]>;
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      const url = /Nitka is at (\S+)/.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    });
  }
  ended.then(([code]) => reject(new Error(`${args.join(" ")} ended with ${code}:\n${output}`)), reject);
  return {
    url: await promise,
    end: async (signal) => {
      const isOver = child.exitCode !== null || child.signalCode !== null;
      if (child.pid !== undefined && !isOver) process.kill(options.detached ? -child.pid : child.pid, signal);
      return (await ended)[0];
    },
  };
}
