import { parseArgs } from "node:util";
import { StorageUnavailableError } from "@nitka/server";
import { check } from "./commands/check.ts";
import { exportVisitor, purgeVisitor } from "./commands/visitor-data.ts";
import { serve } from "./commands/serve.ts";
import { helpText } from "./help-text.ts";
import { readVersion } from "./read-version.ts";
import { SettingsError } from "./settings-error.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * Runs the command that the arguments name.
 *
 * @returns the exit code: 0 for done, 1 for failed, 2 for arguments that mean nothing
 */
export async function runCommand(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const say = (text: string) => surroundings.stderr.write(`${text}\n`);
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (error) {
    say(`${(error as Error).message} \`nitka --help\` tells what there is.`);
    return 2;
  }
  const { values, positionals } = parsed;
  const [command = "serve", ...rest] = positionals;
  if (values.help || command === "help") {
    surroundings.stdout.write(helpText());
    return 0;
  }
  if (values.version) {
    surroundings.stdout.write(`${readVersion()}\n`);
    return 0;
  }
  const run = Object.hasOwn(commands, command) ? commands[command as keyof typeof commands] : undefined;
  if (!run || rest.length > 0) {
    say(`nitka knows no command ${JSON.stringify(positionals.join(" "))}. \`nitka --help\` tells what there is.`);
    return 2;
  }
  try {
    return await run(surroundings, values);
  } catch (error) {
    if (!(error instanceof SettingsError) && !(error instanceof StorageUnavailableError)) throw error;
    say(error.message);
    return 1;
  }
}

const commands = {
  serve: (surroundings: Surroundings) => serve(surroundings),
  check: async (surroundings: Surroundings) => check(surroundings),
  export: exportVisitor,
  purge: purgeVisitor,
} as const;

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: "boolean", short: "h" },
      version: { type: "boolean", short: "v" },
      project: { type: "string" },
      visitor: { type: "string" },
    },
  });
}
