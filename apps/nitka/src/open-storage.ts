import { join, resolve } from "node:path";
import {
  createFolderFiles,
  migratePostgres,
  migrateSqlite,
  openPostgresStorage,
  openSqliteStorage,
} from "@nitka/server";
import type { FileStore, Log, Storage } from "@nitka/server";
import type { Settings } from "./read-settings.ts";

/** Opens the database that the settings name, to serve from it: Postgres, else SQLite in the data folder. */
export function openStorage({ env, dataFolder }: Settings, instanceId: string, log: Log): Promise<Storage> {
  const { DATABASE_URL, DATABASE_DIRECT_URL, NITKA_DATABASE_CONNECTIONS } = env;
  if (DATABASE_URL === undefined) return openSqliteStorage({ path: sqlitePath(dataFolder), ...commonOptions(env) });
  return openPostgresStorage({
    url: DATABASE_URL,
    ...(DATABASE_DIRECT_URL === undefined ? {} : { directUrl: DATABASE_DIRECT_URL }),
    instanceId,
    connections: NITKA_DATABASE_CONNECTIONS,
    ...commonOptions(env),
    log,
  });
}

/** Opens it for a tool that works beside the server. */
export function openStorageBeside({ env, dataFolder }: Settings, instanceId: string): Promise<Storage> {
  const { DATABASE_URL, DATABASE_DIRECT_URL } = env;
  if (DATABASE_URL === undefined)
    return openSqliteStorage({ path: sqlitePath(dataFolder), ...commonOptions(env), alone: false });
  return openPostgresStorage({
    url: DATABASE_DIRECT_URL ?? DATABASE_URL,
    instanceId,
    connections: 1,
    ...commonOptions(env),
  });
}

/** Brings the database's schema up to date, also where the program is not to do so when it starts. */
export function migrateStorage({ env, dataFolder }: Settings): Promise<readonly string[]> {
  const { DATABASE_URL, DATABASE_DIRECT_URL } = env;
  if (DATABASE_URL === undefined) return migrateSqlite({ path: sqlitePath(dataFolder) });
  return migratePostgres({ url: DATABASE_DIRECT_URL ?? DATABASE_URL });
}

/** What every command that opens the database gives it. */
function commonOptions({ NITKA_FILES, NITKA_MIGRATE }: Settings["env"]) {
  const files: FileStore | undefined = NITKA_FILES === undefined ? undefined : createFolderFiles(resolve(NITKA_FILES));
  return { files, migrate: NITKA_MIGRATE === "on" };
}

/** The database in words, without its password. */
export function describeStorage({ env, dataFolder }: Settings): string {
  if (env.DATABASE_URL === undefined) return `SQLite in ${sqlitePath(dataFolder)}`;
  const { host, pathname } = new URL(env.DATABASE_URL);
  return `Postgres at ${host}${pathname}`;
}

function sqlitePath(dataFolder: string): string {
  return join(dataFolder, "nitka.db");
}
