import { runCommand } from "./run-command.mjs";

/**
 * Runs npm: the one that runs this script, or else the one on the path.
 *
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: Readonly<Record<string, string | undefined>>, timeoutMs?: number }} options
 * @returns {Promise<{ readonly ok: boolean, readonly output: string }>}
 */
export function runNpm(args, options) {
  // npm sets this variable for its scripts.
  const npm = process.env["npm_execpath"];
  return npm?.endsWith(".js")
    ? runCommand(process.execPath, [npm, ...args], options)
    : runCommand(process.platform === "win32" ? "npm.cmd" : "npm", args, options);
}
