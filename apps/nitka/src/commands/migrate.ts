import { describeStorage, migrateStorage } from "../open-storage.ts";
import { readSettings } from "../read-settings.ts";
import type { Surroundings } from "../surroundings.ts";

/** `nitka migrate`: brings the database's schema up to date, and prints the steps that it took. */
export async function migrate({ env, stdout }: Surroundings): Promise<number> {
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
