import type { Output } from "./program-context.ts";

/**
 * Formats the JSON log for a terminal: local time, message, then the fields.
 *
 * @example 10:42:07  request  method=GET route=/healthz status=200 ms=1
 */
export function logLines(output: Output): { write(json: string): void } {
  return {
    write: (json) => {
      const { time, level, msg = "", ...fields } = JSON.parse(json) as LogLine;
      const label = level === "info" ? "" : `${level.toUpperCase()} `;
      const rest = Object.entries(fields).map(([name, value]) => `${name}=${shown(value)}`);
      output.write(`${[localTime(time), `${label}${msg}`, rest.join(" ")].join("  ").trimEnd()}\n`);
    },
  };
}

interface LogLine {
  readonly time: string;
  readonly level: string;
  readonly msg?: string;
  readonly [field: string]: unknown;
}

function localTime(time: string): string {
  return new Date(time).toTimeString().slice(0, 8);
}

function shown(value: unknown): string {
  if (typeof value === "string" && !value.includes(" ")) return value;
  const { message } = (value ?? {}) as { readonly message?: unknown };
  return typeof message === "string" ? JSON.stringify(message) : JSON.stringify(value);
}
