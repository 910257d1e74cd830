import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SettingsError } from "./settings-error.ts";

/** What signs must not be guessed. */
const MIN_CHARS = 16;

/**
 * The secret that signs visitors' cookies: the one given, else the one that was made at the first start and is kept in
 * the data folder, readable by its owner alone. Two first starts at one time end up with the same one.
 */
export function readSecret(given: readonly string[] | undefined, dataFolder: string): string | readonly string[] {
  if (given !== undefined) return given;
  const path = join(dataFolder, "secret");
  try {
    makeFolder(dataFolder);
    return kept(path);
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    if (codeOf(error) === "ENOENT" && existsSync(dataFolder)) return makeSecret(path);
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
    if (codeOf(error) === "EEXIST") return kept(path);
    throw unusable(path, error);
  } finally {
    rmSync(draft, { force: true });
  }
}

function kept(path: string): string {
  const secret = readFileSync(path, "utf8").trim();
  if (secret.length >= MIN_CHARS) return secret;
  throw new SettingsError([
    `The secret that NITKA_DATA keeps (${path}) has ${secret.length} characters: expected at least ${MIN_CHARS}. Put it back from a backup, or remove the file: visitors then get a new cookie, and do not find their threads.`,
  ]);
}

/**
 * A folder for its owner's eyes: the conversations are kept in it, too. Node's own recursion never ends where a parent
 * can be neither found nor made, as under `/proc`.
 */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
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
    `NITKA_DATA cannot be used (${path}: ${reason}): expected a folder that can be written to, or NITKA_SECRET and DATABASE_URL.`,
  ]);
}
