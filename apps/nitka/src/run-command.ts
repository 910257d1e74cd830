import { parseArgs } from "node:util";
import { StorageUnavailableError } from "@nitka/server";
import { readFileSync } from "node:fs";
import { ArgumentsError } from "./commands/arguments.ts";
import { backup } from "./commands/backup.ts";
import { check } from "./commands/check.ts";
import { conformance } from "./commands/conformance.ts";
import { evaluate } from "./commands/eval.ts";
import { feedback } from "./commands/feedback.ts";
import { ingest } from "./commands/ingest.ts";
import { knowledge } from "./commands/knowledge.ts";
import { migrate } from "./commands/migrate.ts";
import { search } from "./commands/search.ts";
import { serve } from "./commands/serve.ts";
import { usage } from "./commands/usage.ts";
import { exportVisitor, purgeVisitor } from "./commands/visitor-data.ts";
import { nearestName } from "./config/nearest-name.ts";
import { SettingsError } from "./config/settings-error.ts";
import { NoStorageError } from "./open-storage.ts";
import type { ProgramContext } from "./program-context.ts";
import { settings } from "./env.ts";

/**
 * Runs the command that the arguments name.
 *
 * @returns the exit code: 0 for success, 1 for a failure, 2 for invalid arguments, or when the database does not exist
 */
export async function runCommand(args: readonly string[], context: ProgramContext): Promise<number> {
  const printError = (text: string) => context.stderr.write(`${text}\n`);
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (error) {
    printError(`${optionProblem(error as Error)} ${SEE_HELP}`);
    return 2;
  }
  const { values, positionals } = parsed;
  const [command = "serve", ...rest] = positionals;
  if (values.help || command === "help") {
    context.stdout.write(helpText());
    return 0;
  }
  if (values.version) {
    context.stdout.write(`${readVersion()}\n`);
    return 0;
  }
  const known: Command | undefined = Object.hasOwn(commands, command)
    ? commands[command as keyof typeof commands]
    : undefined;
  if (!known) {
    printError(`nitka has no command ${JSON.stringify(command)}${meant(command, Object.keys(commands))} ${SEE_HELP}`);
    return 2;
  }
  const [word] = rest;
  if (word !== undefined && !known.takesWords) {
    printError(`nitka ${command} does not take ${JSON.stringify(word)}${meant(word, known.options, "--")} ${SEE_HELP}`);
    return 2;
  }
  // An option that the command does not support is an error: ignoring it could, for example, purge the wrong project.
  const stray = Object.keys(values).find((option) => !known.options.includes(option));
  if (stray !== undefined) {
    printError(`nitka ${command} does not take --${stray}. ${SEE_HELP}`);
    return 2;
  }
  try {
    return await known.run(context, values, rest);
  } catch (error) {
    if (error instanceof ArgumentsError || error instanceof NoStorageError) {
      printError(error.message);
      return 2;
    }
    if (!(error instanceof SettingsError) && !(error instanceof StorageUnavailableError)) throw error;
    printError(error.message);
    return 1;
  }
}

const SEE_HELP = "`nitka --help` lists the commands and options.";

/** The end of a sentence, with the known name that was probably meant. */
function meant(typed: string, known: readonly string[], prefix = ""): string {
  const name = nearestName(typed, known);
  return name === undefined ? "." : `: did you mean ${prefix}${name}?`;
}

/** A sentence about an error of `parseArgs`, whose own text explains words that begin with a dash. */
function optionProblem({ message }: Error): string {
  const [option = ""] = /--?[\w-]+/.exec(message) ?? [];
  if (message.startsWith("Unknown option")) {
    return `nitka has no option ${option}${meant(option.replace(/^-+/, ""), Object.keys(options), "--")}`;
  }
  return message.includes("does not take an argument") ? `${option} takes no value.` : `${option} needs a value.`;
}

interface Command {
  readonly run: (
    context: ProgramContext,
    values: ReturnType<typeof parse>["values"],
    words: readonly string[],
  ) => Promise<number>;
  /** The names of the command's options. */
  readonly options: readonly string[];
  /** Whether words may follow the command's name, such as addresses. */
  readonly takesWords?: boolean;
}

const commands = {
  serve: { run: serve, options: [] },
  check: { run: check, options: ["online"] },
  ingest: { run: ingest, options: ["project", "dry-run", "full", "prune", "json"] },
  search: { run: search, options: ["project", "limit", "json"], takesWords: true },
  eval: { run: evaluate, options: ["project", "model", "min", "json"], takesWords: true },
  knowledge: { run: knowledge, options: ["project", "page", "days", "json"], takesWords: true },
  migrate: { run: migrate, options: [] },
  backup: { run: async (context, values) => backup(context, values), options: ["to"] },
  usage: { run: usage, options: ["project", "from", "to", "by", "top", "json"] },
  feedback: { run: feedback, options: ["days", "json"] },
  export: { run: exportVisitor, options: ["project", "visitor"] },
  conformance: { run: conformance, options: ["project", "token", "page", "json"], takesWords: true },
  purge: { run: purgeVisitor, options: ["project", "visitor"] },
} as const satisfies Readonly<Record<string, Command>>;

const options = {
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
  project: { type: "string" },
  visitor: { type: "string" },
  token: { type: "string" },
  from: { type: "string" },
  to: { type: "string" },
  by: { type: "string" },
  top: { type: "string" },
  limit: { type: "string" },
  days: { type: "string" },
  model: { type: "string" },
  min: { type: "string" },
  page: { type: "string" },
  "dry-run": { type: "boolean" },
  full: { type: "boolean" },
  prune: { type: "boolean" },
  json: { type: "boolean" },
  online: { type: "boolean" },
} as const;

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], allowPositionals: true, options });
}

/** The version in the program's package.json. */
function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    readonly version: string;
  };
  return version;
}

/** The output of `nitka --help`. */
export function helpText(): string {
  const rows = Object.entries(settings).map(([name, setting]) => {
    const fallback = "fallback" in setting ? ` (${setting.fallback})` : "";
    return `  ${name.padEnd(29)} ${setting.help}${fallback}`;
  });
  return `Nitka: an AI chat assistant that any website can embed.

Usage:
  nitka                                          serve the widget, the API, a full page and demo pages
  nitka check                                    check the settings, and print a summary or the problems
  nitka check --online                           also test the database, the models and the MCP servers
  nitka ingest [options]                         read the pages of the projects' sources
  nitka search "<question>" [options]            print the passages that a model would get for a question
  nitka eval <file> [options]                    measure the search, or a model, with a file of questions
  nitka knowledge [options]                      print how many pages were read, and when
  nitka knowledge unanswered [options]           print the questions that the pages did not answer
  nitka knowledge close <id>...                  remove questions from that list
  nitka migrate                                  migrate the schema of the database, and print the steps
  nitka backup --to <file>                       copy the SQLite database, even while the server runs
  nitka usage [options]                          print a table of the tokens that the models used
  nitka feedback [--days <n>] [--json]           print visitors' ratings of answers, newest first
  nitka export --visitor <id> [--project <id>]   print all stored data of a visitor as JSON
  nitka purge --visitor <id> [--project <id>]    delete all stored data of a visitor permanently
  nitka conformance <address> [options]          check any backend against the protocol, and print the differences
  nitka --help | --version

A visitor with a host's token has the id host:<sub>. The default project is "default".
Exit codes: 0 done, 1 failed, 2 wrong arguments or no database to work with.

Options of nitka usage:
  --by day|project|model|visitor   what to group by (day)
  --from YYYY-MM-DD                the first day, UTC (30 days in all)
  --to YYYY-MM-DD                  the last day, UTC (today)
  --project <id>                   one project (all of them)
  --top <n>                        only the n rows with the most tokens; the others are summed in one row
  --json                           print JSON instead of a table

Options of nitka ingest, search and knowledge:
  --project <id>                   one project (ingest, knowledge: all that have knowledge; search: default, or the only one)
  --full                           ingest: fetch every page again, even if the site says that it is unchanged
  --prune                          ingest: remove the pages that are gone, even if they are more than a fifth of a source
  --dry-run                        ingest: only print what would change
  --limit <n>                      search: at most n passages (5)
  --page <address>                 knowledge: print the passages of one page
  --days <n>                       knowledge unanswered: of the last n days (30)
  --json                           print JSON instead of text

Options of nitka eval:
  --project <id>                   the project (default, or the only one with knowledge)
  --model <id>                     also ask this model, and measure its answers
  --min <share>                    exit with 1 if recall (with --model: the share of lines that pass everything) is lower
  --json                           print JSON instead of a table

Options of nitka conformance:
  --project <id>                   the project whose config is read (default)
  --token <token>                  a host's token, for a backend that requires signed-in visitors
  --page <address>                 the page that shows the widget, if its origin is not the backend's
  --json                           print JSON instead of text

Settings, as environment variables:
${rows.join("\n")}
`;
}
