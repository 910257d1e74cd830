import type { Output } from "./surroundings.ts";

/** Resolves when the text has gone out. A pipe takes only so much at once: with the end of the process the rest would be gone. */
export function writeAll(output: Output, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
