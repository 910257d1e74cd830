import { readFileSync } from "node:fs";

/** The version in the program's package.json. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    readonly version: string;
  };
  return version;
}
