import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The program as a process. */
export interface NitkaProcess {
  /** The address that it listens on, with a slash at the end. */
  readonly url: string;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Sends SIGTERM, as a release does. Resolves with the exit code. */
  terminate(): Promise<number | null>;
}

const program = fileURLToPath(new URL("../../../apps/nitka/bin/nitka.mjs", import.meta.url));

/** Starts the program. Resolves when it prints its address. */
export function startNitka(settings: Readonly<Record<string, string>>): Promise<NitkaProcess> {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, PORT: "0", HOST: "127.0.0.1", LOG_LEVEL: "error", ...settings },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once("exit", resolve);
  });
  const end = (signal: "SIGKILL" | "SIGTERM") => {
    child.kill(signal);
    return ended;
  };
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      const url = /Nitka is at (\S+)/.exec(output)?.[1];
      if (url === undefined) return;
      resolve({ url: `${url}/`, kill: async () => void (await end("SIGKILL")), terminate: () => end("SIGTERM") });
    });
    child.once("exit", (code) => reject(new Error(`The program exited with ${code}: ${output}`)));
  });
}

/** Runs a command of the program, such as `usage`. Resolves with its output. */
export function runNitka(args: readonly string[], settings: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, LOG_LEVEL: "error", ...settings },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    child.once("exit", (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`nitka ${args.join(" ")} exited with ${code}: ${output}`));
    });
  });
}
