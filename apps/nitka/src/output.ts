/** The output of commands, for people or as JSON. */
import type { Output } from "./program-context.ts";

/**
 * Resolves when the text has been written. A pipe buffers only part of it, and an exit of the process would lose the
 * rest.
 */
export function writeAll(output: Output, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** The output of a command with `--json`. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** A visitor's text for one line of a terminal: line breaks and control characters are replaced. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ");
}
