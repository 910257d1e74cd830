import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The program itself, as it is deployed. */
export interface NitkaProcess {
  /** Where it listens, with a slash at the end. */
  readonly url: string;
  /** Ends it with no warning. */
  kill(): Promise<void>;
}

const program = fileURLToPath(new URL("../../apps/nitka/bin/nitka.mjs", import.meta.url));

/** Resolves when the program says where it is. */
export function startNitka(settings: Readonly<Record<string, string>>): Promise<NitkaProcess> {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, PORT: "0", HOST: "127.0.0.1", LOG_LEVEL: "error", ...settings },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
  });
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      const url = /Nitka is at (\S+)/.exec(output)?.[1];
      if (url === undefined) return;
      resolve({
        url: `${url}/`,
        kill: async () => {
          child.kill("SIGKILL");
          await ended;
        },
      });
    });
    child.once("exit", (code) => reject(new Error(`The program has ended with ${code}: ${output}`)));
  });
}
