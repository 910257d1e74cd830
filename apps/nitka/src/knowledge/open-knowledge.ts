import { join } from "node:path";
import type { KnowledgeStore } from "@nitka/knowledge";
import type { ProgramContext } from "../program-context.ts";
import type { Settings } from "../read-settings.ts";

/**
 * Opens what was read of the sites' pages: in Postgres when DATABASE_URL is set, else in a file of the data folder. Without
 * `create` it throws `NoPagesError` where there is none.
 */
export async function openKnowledge({ env, dataFolder }: Settings, create = true): Promise<KnowledgeStore> {
  const { DATABASE_URL, DATABASE_DIRECT_URL } = env;
  // Loaded here, because most commands and projects do without it.
  const { openPostgresKnowledge, openSqliteKnowledge } = await import("@nitka/knowledge");
  return DATABASE_URL === undefined
    ? openSqliteKnowledge({ path: knowledgePath(dataFolder), create })
    : openPostgresKnowledge({ url: DATABASE_DIRECT_URL ?? DATABASE_URL, create });
}

/**
 * Does the work of a command that only reads what was read of the pages: it makes no database.
 *
 * @returns the exit code: 2 where nothing has been read yet
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
    stderr.write(`Nothing has been read yet: there are no pages in ${place}. Run nitka ingest.\n`);
    return 2;
  }
  stderr.write(`Reading ${place}.\n`);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Where the pages are kept, in words, without a password. */
export function describeKnowledge({ env, dataFolder }: Settings): string {
  if (env.DATABASE_URL === undefined) return `SQLite in ${knowledgePath(dataFolder)}`;
  const { host, pathname } = new URL(env.DATABASE_URL);
  return `Postgres at ${host}${pathname}`;
}

function knowledgePath(dataFolder: string): string {
  return join(dataFolder, "knowledge.db");
}
