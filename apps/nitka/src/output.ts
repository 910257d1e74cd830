/** What commands print: for people, or as JSON. */
import type { Output } from "./program-context.ts";

/** Resolves when the text has been written. A pipe buffers only part of it, and an exit of the process loses the rest. */
export function writeAll(output: Output, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** What a command prints with `--json`. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** A visitor's text for a line of a terminal: without line breaks, and without signs that it would obey. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ");
}
