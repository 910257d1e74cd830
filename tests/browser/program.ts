import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Program {
  readonly url: string;
  /** The program's output so far. */
  output(): string;
  /** Sends SIGINT and waits until the program has ended. */
  stop(): Promise<void>;
}

/** Starts the program like an operator, on a free port. */
export async function startProgram(env: Readonly<Record<string, string>>): Promise<Program> {
  const entry = fileURLToPath(new URL("../../apps/nitka/bin/nitka.mjs", import.meta.url));
  const { PATH = "", HOME = "" } = process.env;
  // The cache halves the processor time of every start after the first.
  const cache = { NODE_COMPILE_CACHE: join(tmpdir(), "nitka-compile-cache") };
  const child = spawn(process.execPath, [entry], { env: { PATH, HOME, PORT: "0", ...cache, ...env } });
  let output = "";
  const { promise: address, resolve, reject } = Promise.withResolvers<string>();
  const read = (bytes: Buffer) => {
    output += bytes.toString("utf8");
    const found = /https?:\/\/[^\s"']+:\d+/.exec(output)?.[0];
    if (found !== undefined) resolve(found);
  };
  child.stdout.on("data", read);
  child.stderr.on("data", read);
  child.once("exit", (code) => reject(new Error(`The program ended with ${code} before it listened:\n${output}`)));
  const url = await address;
  return {
    url: `${url}/`,
    output: () => output,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGINT");
      await once(child, "exit");
    },
  };
}
