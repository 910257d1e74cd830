import { spawn } from "node:child_process";

/**
 * Runs a command to its end and returns its output. It never rejects: a command that cannot be started or exceeds the time-out
 * has failed, and the output says why.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {object} [options]
 * @param {string} [options.cwd]
 * @param {Readonly<Record<string, string | undefined>>} [options.env] In addition to the variables of this process.
 * @param {number} [options.timeoutMs]
 * @returns {Promise<{ readonly ok: boolean, readonly output: string }>}
 */
export function runCommand(command, args, { cwd, env, timeoutMs } = {}) {
  return new Promise((resolve) => {
    /** @type {string[]} */
    const output = [];
    const child = spawn(command, args, {
      ...(cwd !== undefined && { cwd }),
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      ...(timeoutMs !== undefined && { timeout: timeoutMs, killSignal: "SIGKILL" }),
    });
    child.stdout.setEncoding("utf8").on("data", (text) => output.push(text));
    child.stderr.setEncoding("utf8").on("data", (text) => output.push(text));
    child.once("error", (error) => resolve({ ok: false, output: `${output.join("")}${error.message}\n` }));
    child.once("close", (code, signal) => {
      if (signal) output.push(`\n${command} was ended by ${signal}\n`);
      resolve({ ok: code === 0, output: output.join("") });
    });
  });
}
