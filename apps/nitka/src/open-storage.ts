import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { SchemaVersionError, StorageUnavailableError } from "@nitka/server";
import { createFolderFiles } from "@nitka/server/folder-files";
import { createS3Files } from "@nitka/server/s3-files";
import { migrateSqlite, openSqliteStorage } from "@nitka/server/sqlite";
import type { FileStore, Log, Storage } from "@nitka/server";
import type { Settings } from "./read-settings.ts";

/** Opens the database for the server: Postgres when DATABASE_URL is set, otherwise SQLite in the data folder. */
export async function openStorage({ env, dataFolder }: Settings, instanceId: string, log: Log): Promise<Storage> {
  const { DATABASE_URL, DATABASE_DIRECT_URL, NITKA_DATABASE_CONNECTIONS } = env;
  if (DATABASE_URL === undefined)
    return openSqliteStorage({ path: sqlitePath(dataFolder), ...commonOptions(env), log });
  const { openPostgresStorage } = await import("@nitka/server/postgres");
  return openPostgresStorage({
    url: DATABASE_URL,
    ...(DATABASE_DIRECT_URL === undefined ? {} : { directUrl: DATABASE_DIRECT_URL }),
    instanceId,
    connections: NITKA_DATABASE_CONNECTIONS,
    ...commonOptions(env),
    log,
  });
}

/** The server's database does not exist where the command looks for it. */
export class NoStorageError extends Error {
  override readonly name = "NoStorageError";
  /** Whether the server's first start creates it. */
  readonly canBeMade: boolean;

  constructor(settings: Settings, canBeMade = true) {
    super(
      `There is no database: ${describeStorage(settings)} has none. Set NITKA_DATA or DATABASE_URL to the server's values; ` +
        (canBeMade ? "its first start creates the database." : "the server does not create it."),
    );
    this.canBeMade = canBeMade;
  }
}

/**
 * Opens the database for a command that may run while the server runs. It neither creates nor migrates one.
 *
 * @throws {NoStorageError}
 */
export async function openStorageBeside(settings: Settings, instanceId: string): Promise<Storage> {
  const { env, dataFolder } = settings;
  const { DATABASE_URL, DATABASE_DIRECT_URL } = env;
  const options = { ...commonOptions(env), migrate: false };
  try {
    if (DATABASE_URL === undefined) {
      requireSqlite(settings);
      return await openSqliteStorage({ path: sqlitePath(dataFolder), ...options, alone: false });
    }
    const { openPostgresStorage } = await import("@nitka/server/postgres");
    const url = DATABASE_DIRECT_URL ?? DATABASE_URL;
    return await openPostgresStorage({ url, instanceId, connections: 1, ...options });
  } catch (error) {
    const isEmpty = error instanceof SchemaVersionError && error.version === 0;
    if (isEmpty || isNoDatabase(error)) throw new NoStorageError(settings, isEmpty);
    throw error;
  }
}

/** Whether Postgres has reported that the database does not exist (invalid_catalog_name). */
export function isNoDatabase(error: unknown): boolean {
  return error instanceof Error && (("code" in error && error.code === "3D000") || isNoDatabase(error.cause));
}

/**
 * @throws {NoStorageError} when the file of the SQLite database is missing
 * @throws {StorageUnavailableError} when that cannot be known
 */
export function requireSqlite(settings: Settings): void {
  const path = sqlitePath(settings.dataFolder);
  try {
    statSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new NoStorageError(settings);
    const cause = code === "ENOTDIR" ? "NITKA_DATA is not a folder" : "this user may not look into the folder";
    throw new StorageUnavailableError(
      `The database ${path} cannot be read (${code}): ${cause}. Run the command as the server's user, with its NITKA_DATA.`,
      { cause: error },
    );
  }
}

/** Migrates the schema of the database, even with NITKA_MIGRATE=off. Returns the names of the steps. */
export async function migrateStorage({ env, dataFolder }: Settings): Promise<readonly string[]> {
  const { DATABASE_URL, DATABASE_DIRECT_URL } = env;
  if (DATABASE_URL === undefined) return migrateSqlite({ path: sqlitePath(dataFolder) });
  const { migratePostgres } = await import("@nitka/server/postgres");
  return migratePostgres({ url: DATABASE_DIRECT_URL ?? DATABASE_URL });
}

/** The options of every command that opens the database. */
function commonOptions(env: Settings["env"]) {
  return { files: filesOf(env), migrate: env.NITKA_MIGRATE === "on" };
}

/** The store for new files; `undefined` for the database. */
function filesOf(env: Settings["env"]): FileStore | undefined {
  const { NITKA_FILES, NITKA_S3_ENDPOINT, AWS_REGION: region } = env;
  if (NITKA_FILES === undefined) return undefined;
  if (!NITKA_FILES.startsWith("s3://")) return createFolderFiles(resolve(NITKA_FILES));
  const [bucket = "", ...folders] = NITKA_FILES.slice("s3://".length).split("/");
  return createS3Files({
    endpoint: NITKA_S3_ENDPOINT ?? `https://s3.${region}.amazonaws.com`,
    bucket,
    prefix: folders.join("/"),
    region,
    accessKeyId: env.AWS_ACCESS_KEY_ID ?? "",
    secretAccessKey: env.AWS_SECRET_ACCESS_KEY ?? "",
    sessionToken: env.AWS_SESSION_TOKEN,
  });
}

/** A description of the database, without the password. */
export function describeStorage({ env, dataFolder }: Settings): string {
  if (env.DATABASE_URL === undefined) return `SQLite in ${sqlitePath(dataFolder)}`;
  const { host, pathname } = new URL(env.DATABASE_URL);
  return `Postgres at ${host}${pathname}`;
}

/** The file of the SQLite database. */
export function sqlitePath(dataFolder: string): string {
  return join(dataFolder, "nitka.db");
}
