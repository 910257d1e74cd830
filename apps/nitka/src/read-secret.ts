import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SettingsError } from "./config/settings-error.ts";

/** A shorter secret could be guessed. */
const MIN_CHARS = 16;

/**
 * The secret that signs visitors' cookies: the given one, or one that the first start generates and stores in the data
 * folder, readable only by its owner. Two first starts at the same time agree on one.
 */
export function readSecret(given: readonly string[] | undefined, dataFolder: string): string | readonly string[] {
  if (given !== undefined) return given;
  const path = join(dataFolder, "secret");
  try {
    makeFolder(dataFolder);
    return readStoredSecret(path);
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    if (codeOf(error) === "ENOENT" && existsSync(dataFolder)) return makeSecret(path);
    throw unusable(dataFolder, error);
  }
}

function makeSecret(path: string): string {
  const secret = randomBytes(32).toString("base64url");
  // Written to a draft and then linked, which fails if another start was faster. So no reader sees half of it.
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, `${secret}\n`, { mode: 0o600, flush: true });
    linkSync(draft, path);
    return secret;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return readStoredSecret(path);
    throw unusable(path, error);
  } finally {
    rmSync(draft, { force: true });
  }
}

function readStoredSecret(path: string): string {
  const secret = readFileSync(path, "utf8").trim();
  if (secret.length >= MIN_CHARS) return secret;
  throw new SettingsError([
    `The secret in NITKA_DATA (${path}) has ${secret.length} characters: expected at least ${MIN_CHARS}. Restore it from a backup, or remove the file: visitors then get new cookies and lose their threads.`,
  ]);
}

/**
 * Makes a folder that only its owner can read, because it also contains the conversations. `mkdir` with `recursive` is
 * not used: Node's version never returns when a parent can neither be found nor created, as under `/proc`.
 */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  // The root of a missing drive is its own parent.
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

function unusable(path: string, cause: unknown): SettingsError {
  const reason = codeOf(cause) ?? (cause as Error).message;
  return new SettingsError([
    `NITKA_DATA cannot be used (${path}: ${reason}): expected a writable folder, or NITKA_SECRET and DATABASE_URL.`,
  ]);
}
