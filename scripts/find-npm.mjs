import { existsSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";

const script = join("npm", "bin", "npm-cli.js");

/**
 * Finds the script of npm, to be run with Node. The command `npm` is a batch file on Windows, which Node starts only through
 * a shell.
 *
 * @param {Readonly<Record<string, string | undefined>>} [env]
 * @param {string} [node] the path of the running Node
 * @returns {string}
 */
export function findNpm(env = process.env, node = process.execPath) {
  const running = env["npm_execpath"];
  if (running !== undefined && basename(running) === "npm-cli.js") return running;
  // Windows calls the variable Path. Only process.env itself ignores the case of its name.
  const path = Object.entries(env).find(([name]) => name.toUpperCase() === "PATH")?.[1] ?? "";
  const places = [dirname(node), ...path.split(delimiter).filter(Boolean)].flatMap((folder) => [
    join(folder, "node_modules", script),
    join(folder, "..", "lib", "node_modules", script),
    join(folder, "npm"),
  ]);
  for (const place of places) {
    if (!existsSync(place)) continue;
    // On systems other than Windows the command is a link to the script.
    const target = realpathSync(place);
    if (basename(target) === "npm-cli.js") return target;
  }
  throw new Error("npm was not found beside Node or on the PATH. Install Node with npm, or run this with `npm start`.");
}
