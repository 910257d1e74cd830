import type { Output } from "./program-context.ts";

/** Resolves when the text has been written. A pipe buffers only part of it, and an exit of the process loses the rest. */
export function writeAll(output: Output, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
