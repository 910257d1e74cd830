import { runCommand } from "../run-command.ts";

export const NOW = "2026-11-21T12:00:00.000Z";

/** Runs a command in this process. */
export async function runInProcess(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const out = { stdout: "", stderr: "" };
  const write = (name: keyof typeof out) => (text: string, done?: () => void) => {
    out[name] += text;
    done?.();
  };
  const code = await runCommand(args, {
    env,
    clock: () => new Date(NOW),
    stdout: { write: write("stdout") },
    stderr: { write: write("stderr") },
    onSignal: () => undefined,
    onReload: () => undefined,
  });
  return { code, ...out };
}
