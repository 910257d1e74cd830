import { join } from "node:path";
import type { KnowledgeStore } from "@nitka/knowledge";
import { StorageUnavailableError } from "@nitka/server";
import { isNoDatabase, NoStorageError } from "../open-storage.ts";
import type { ProgramContext } from "../program-context.ts";
import type { Settings } from "../read-settings.ts";

/**
 * Opens the store of the sites' pages: in Postgres when DATABASE_URL is set, otherwise in a file of the data folder.
 * Without `create` it throws `NoPagesError` when the store does not exist.
 */
export async function openKnowledge(settings: Settings, create = true): Promise<KnowledgeStore> {
  const { env, dataFolder } = settings;
  const { DATABASE_URL, DATABASE_DIRECT_URL } = env;
  // Loaded here, because most commands and projects do not need it.
  const { openPostgresKnowledge, openSqliteKnowledge } = await import("@nitka/knowledge");
  try {
    return await (DATABASE_URL === undefined
      ? openSqliteKnowledge({ path: knowledgePath(dataFolder), create })
      : openPostgresKnowledge({ url: DATABASE_DIRECT_URL ?? DATABASE_URL, create }));
  } catch (error) {
    throw explained(error, settings);
  }
}

/** An error of the system, of SQLite or of Postgres, which have a `code`, as one that says what to look at. */
function explained(error: unknown, settings: Settings): unknown {
  if (!(error instanceof Error && "code" in error)) return error;
  if (isNoDatabase(error)) return new NoStorageError(settings, false);
  const advice =
    settings.env.DATABASE_URL === undefined
      ? "Let this process read and write the file and its folder, and look at the disk."
      : "Does the database answer at DATABASE_URL, with this name and password?";
  return new StorageUnavailableError(
    `${describeKnowledge(settings)} cannot be used: ${error.message || String(error.code)}. ${advice}`,
    { cause: error },
  );
}

/**
 * Runs a command that only reads the stored pages: it does not create a database.
 *
 * @returns the exit code: 2 when nothing has been read yet
 */
export async function withKnowledge(
  settings: Settings,
  { stderr }: ProgramContext,
  work: (store: KnowledgeStore) => Promise<number>,
): Promise<number> {
  const { NoPagesError } = await import("@nitka/knowledge");
  const place = describeKnowledge(settings);
  let store: KnowledgeStore;
  try {
    store = await openKnowledge(settings, false);
  } catch (error) {
    if (!(error instanceof NoPagesError)) throw error;
    stderr.write(`No pages have been read yet into ${place}. Run nitka ingest.\n`);
    return 2;
  }
  stderr.write(`Reading ${place}.\n`);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** A description of where the pages are stored, without a password. */
export function describeKnowledge({ env, dataFolder }: Settings): string {
  if (env.DATABASE_URL === undefined) return `SQLite in ${knowledgePath(dataFolder)}`;
  const { host, pathname } = new URL(env.DATABASE_URL);
  return `Postgres at ${host}${pathname}`;
}

function knowledgePath(dataFolder: string): string {
  return join(dataFolder, "knowledge.db");
}
