import type { Log } from "./log.ts";

/** Writes warnings and errors to the console, one line each: the default log. */
export const consoleLog: Log = {
  info: () => undefined,
  warn: (fields, text) => console.warn(line(fields, text)),
  error: (fields, text) => console.error(line(fields, text)),
};

function line(fields: Readonly<Record<string, unknown>>, text: string): string {
  return Object.keys(fields).length === 0 ? `nitka: ${text}` : `nitka: ${text} ${JSON.stringify(fields)}`;
}
