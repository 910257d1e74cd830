import { SchemaVersionError, StorageUnavailableError } from "@nitka/server";
import { randomUUID } from "node:crypto";
import { describeStorage, NoStorageError, openStorageBeside } from "../open-storage.ts";
import type { Settings } from "../read-settings.ts";
import type { OnlineReport } from "./online-report.ts";

/** Asks the database. It neither makes nor migrates one. */
export async function checkStorage(settings: Settings): Promise<OnlineReport> {
  const place = describeStorage(settings);
  try {
    const storage = await openStorageBeside(settings, randomUUID());
    try {
      await storage.ping();
    } finally {
      await storage.close();
    }
    return { lines: [`✓ ${place} answers.`], ok: true };
  } catch (error) {
    const mayMigrate = settings.env.NITKA_MIGRATE === "on";
    if (error instanceof NoStorageError) {
      // A database on a server is made by its administrator, tables and files by the start.
      if (error.canBeMade && mayMigrate) {
        return { lines: [`! ${place} has no database yet. The first start makes it.`], ok: true };
      }
      return { lines: [`✗ ${error.message}`], ok: false };
    }
    if (error instanceof SchemaVersionError && error.isEarlier && mayMigrate) {
      return { lines: [`! ${place} has the schema of an earlier version. The next start migrates it.`], ok: true };
    }
    if (error instanceof StorageUnavailableError) return { lines: [`✗ ${error.message}`], ok: false };
    throw error;
  }
}
