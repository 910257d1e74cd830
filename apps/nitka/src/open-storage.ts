import { join } from "node:path";
import { openPostgresStorage, openSqliteStorage } from "@nitka/server";
import type { Storage } from "@nitka/server";
import type { Settings } from "./read-settings.ts";

/**
 * Opens the database that the settings name: Postgres, else SQLite in the data folder.
 *
 * @param use whether to serve, or to look into it beside a server
 */
export function openStorage(
  { env, dataFolder }: Settings,
  instanceId: string,
  use: "server" | "tool" = "server",
): Promise<Storage> {
  return env.DATABASE_URL === undefined
    ? openSqliteStorage({ path: sqlitePath(dataFolder), alone: use === "server" })
    : openPostgresStorage({ url: env.DATABASE_URL, instanceId });
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
