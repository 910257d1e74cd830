import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SettingsError } from "./settings-error.ts";

/**
 * The secret that signs visitors' cookies: the one given, else the one that was made at the first start and is kept in
 * the data folder, readable by its owner alone. Two first starts at one time end up with the same one.
 */
export function readSecret(given: string | undefined, dataFolder: string): string {
  if (given !== undefined) return given;
  const path = join(dataFolder, "secret");
  try {
    mkdirSync(dataFolder, { recursive: true });
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return makeSecret(path);
    throw unusable(dataFolder, error);
  }
}

function makeSecret(path: string): string {
  const secret = randomBytes(32).toString("base64url");
  // Written whole beside its place, then put there unless another start was faster: nobody ever reads half of it.
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, `${secret}\n`, { mode: 0o600, flush: true });
    linkSync(draft, path);
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return readFileSync(path, "utf8").trim();
    throw unusable(path, error);
  } finally {
    rmSync(draft, { force: true });
  }
}

function unusable(path: string, cause: unknown): SettingsError {
  const reason = (cause as NodeJS.ErrnoException).code ?? (cause as Error).message;
  return new SettingsError([
    `NITKA_DATA cannot be used (${path}: ${reason}): expected a folder that can be written to, or NITKA_SECRET and DATABASE_URL.`,
  ]);
}
