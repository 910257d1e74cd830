import { runCommand } from "./run-command.mjs";
import { findNode, findTool } from "./workspace.mjs";

/**
 * What halves the compiler's processor time: one thread, since by default each of four checkers checks for itself what they
 * share, and a garbage collector that lets its memory grow, by a tenth.
 */
const FRUGAL = { args: ["--singleThreaded"], env: { GOGC: "400" } };

/**
 * Runs the TypeScript compiler to its end.
 *
 * @param {readonly string[]} args
 * @param {{ readonly cwd?: string }} [options]
 * @returns {Promise<{ readonly ok: boolean, readonly output: string }>} its complaints, in plain text
 */
export function runCompiler(args, options) {
  const compiler = findTool("typescript", "tsc");
  return runCommand(findNode(), [compiler, "--pretty", "false", ...FRUGAL.args, ...args], {
    ...options,
    env: FRUGAL.env,
  });
}
