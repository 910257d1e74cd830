import { describeStorage, migrateStorage } from "../open-storage.ts";
import { readSettings } from "../read-settings.ts";
import type { ProgramContext } from "../program-context.ts";

/** `nitka migrate`: migrates the schema of the database, and prints the steps. */
export async function migrate({ env, stdout }: ProgramContext): Promise<number> {
  const settings = readSettings(env);
  const steps = await migrateStorage(settings);
  const where = describeStorage(settings);
  stdout.write(
    steps.length === 0
      ? `Nothing to do: the schema of ${where} is up to date.\n`
      : `The schema of ${where} is up to date. Steps taken:\n${steps.map((step) => `  ${step}\n`).join("")}`,
  );
  return 0;
}
