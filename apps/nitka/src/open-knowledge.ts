import { existsSync } from "node:fs";
import { join } from "node:path";
import type { KnowledgeStore } from "@nitka/knowledge";
import type { Settings } from "./read-settings.ts";

/** Opens what was read of the sites' pages: in Postgres when DATABASE_URL is set, else in a file of the data folder. */
export async function openKnowledge({ env, dataFolder }: Settings): Promise<KnowledgeStore> {
  const { DATABASE_URL, DATABASE_DIRECT_URL } = env;
  // Loaded here, because most commands and projects do without it.
  const { openPostgresKnowledge, openSqliteKnowledge } = await import("@nitka/knowledge");
  return DATABASE_URL === undefined
    ? openSqliteKnowledge({ path: knowledgePath(dataFolder) })
    : openPostgresKnowledge({ url: DATABASE_DIRECT_URL ?? DATABASE_URL });
}

/** Where the pages are kept, in words, without a password. */
export function describeKnowledge({ env, dataFolder }: Settings): string {
  if (env.DATABASE_URL === undefined) return `SQLite in ${knowledgePath(dataFolder)}`;
  const { host, pathname } = new URL(env.DATABASE_URL);
  return `Postgres at ${host}${pathname}`;
}

/** Whether there may be something to read. A database on a server is only known when it is asked. */
export function hasKnowledge({ env, dataFolder }: Settings): boolean {
  return env.DATABASE_URL !== undefined || existsSync(knowledgePath(dataFolder));
}

function knowledgePath(dataFolder: string): string {
  return join(dataFolder, "knowledge.db");
}
