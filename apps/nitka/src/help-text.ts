import { settings } from "./env.ts";

/** What `nitka --help` prints. */
export function helpText(): string {
  const rows = Object.entries(settings).map(([name, setting]) => {
    const fallback = "fallback" in setting ? ` (${setting.fallback})` : "";
    return `  ${name.padEnd(29)} ${setting.help}${fallback}`;
  });
  return `Nitka: an AI chat assistant that any website can embed.

Usage:
  nitka                                          serve the widget, its API, a full page and demo pages
  nitka check                                    say what is wrong with the settings, or what they mean
  nitka migrate                                  bring the database's schema up to date, and print the steps
  nitka usage [options]                          print how many tokens the models took, as a table
  nitka export --visitor <id> [--project <id>]   print everything that is kept of a visitor, as JSON
  nitka purge --visitor <id> [--project <id>]    delete everything that is kept of a visitor, for good
  nitka --help | --version

A visitor whom the host names by a token is host:<sub>; the project is default unless named.

Options of nitka usage:
  --by day|project|model|visitor   what to sum by (day)
  --from YYYY-MM-DD                the first day, UTC (30 days in all)
  --to YYYY-MM-DD                  the last day, UTC (today)
  --project <id>                   one project (all of them)
  --top <n>                        only the n rows with the most tokens; the others become one row
  --json                           for programs

Settings, as environment variables:
${rows.join("\n")}
`;
}
