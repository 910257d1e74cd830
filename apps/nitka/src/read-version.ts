import { readFileSync } from "node:fs";

/** The program's version, as its package says it. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    readonly version: string;
  };
  return version;
}
