import { resolve } from "node:path";
import { copySqlite } from "@nitka/server/sqlite";
import { describeStorage, requireSqlite, sqlitePath } from "../open-storage.ts";
import { readSettings } from "../read-settings.ts";
import { SettingsError } from "../config/settings-error.ts";
import type { ProgramContext } from "../program-context.ts";
import { ArgumentsError } from "./arguments.ts";

/** `nitka backup --to <file>`: copies the SQLite database, even while the server is writing to it. */
export function backup({ env, stdout, stderr }: ProgramContext, { to }: { readonly to?: string | undefined }): number {
  if (to === undefined) throw new ArgumentsError("nitka backup needs --to <file>, the file to write.");
  const settings = readSettings(env);
  if (settings.env.DATABASE_URL !== undefined) {
    throw new SettingsError([
      `nitka backup copies only SQLite, but the database is ${describeStorage(settings)}: use pg_dump.`,
    ]);
  }
  requireSqlite(settings);
  stderr.write(`Reading ${describeStorage(settings)}.\n`);
  const target = resolve(to);
  const bytes = copyTo(sqlitePath(settings.dataFolder), target);
  stdout.write(`${describeStorage(settings)} is copied to ${target}: ${bytes} bytes.\n`);
  return 0;
}

function copyTo(path: string, target: string): number {
  try {
    return copySqlite(path, target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const trouble = code === undefined ? undefined : troubles[code];
    if (trouble === undefined) throw error;
    throw new SettingsError([`--to is ${target}, ${trouble}.`]);
  }
}

const troubles: Readonly<Record<string, string>> = {
  EACCES: "where this user may not write: expected a file in a folder that it may write",
  EEXIST: "which already exists: expected a file that does not exist",
  EISDIR: "which is a folder: expected a file that does not exist",
  ENOENT: "in a folder that does not exist: make the folder, or name another one",
  ENOTDIR: "below a file that is not a folder: name another path",
};
