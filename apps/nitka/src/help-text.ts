import { settings } from "./env.ts";

/** What `nitka --help` prints. */
export function helpText(): string {
  const rows = Object.entries(settings).map(([name, setting]) => {
    const fallback = "fallback" in setting ? ` (${setting.fallback})` : "";
    return `  ${name.padEnd(29)} ${setting.help}${fallback}`;
  });
  return `Nitka: an AI chat assistant that any website can embed.

Usage:
  nitka                                          serve the widget, the API, a full page and demo pages
  nitka check                                    check the settings, and print what they mean or what is wrong
  nitka migrate                                  migrate the schema of the database, and print the steps
  nitka backup --to <file>                       copy the SQLite database, also beside the running server
  nitka usage [options]                          print a table of the tokens that the models used
  nitka export --visitor <id> [--project <id>]   print all stored data of a visitor as JSON
  nitka purge --visitor <id> [--project <id>]    delete all stored data of a visitor permanently
  nitka conformance <address> [options]          hold any backend to the protocol, and print what differs
  nitka --help | --version

The id of a visitor with a token of the host is host:<sub>. The default project is "default".

Options of nitka usage:
  --by day|project|model|visitor   what to group by (day)
  --from YYYY-MM-DD                the first day, UTC (30 days in all)
  --to YYYY-MM-DD                  the last day, UTC (today)
  --project <id>                   one project (all of them)
  --top <n>                        only the n rows with the most tokens; the others are summed in one row
  --json                           print JSON instead of a table

Options of nitka conformance:
  --project <id>                   the project whose config is read (default)
  --token <token>                  a token of the host, for a backend that wants its visitors named
  --json                           print JSON instead of text

Settings, as environment variables:
${rows.join("\n")}
`;
}
