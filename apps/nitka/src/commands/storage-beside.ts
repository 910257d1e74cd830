import { randomUUID } from "node:crypto";
import type { Storage } from "@nitka/server";
import { describeStorage, openStorageBeside } from "../open-storage.ts";
import type { ProgramContext } from "../program-context.ts";
import type { Settings } from "../read-settings.ts";

/**
 * Works on the server's database, and prints on stderr which database that is: a command may have other settings than
 * the server.
 */
export async function withStorageBeside<T>(
  { stderr }: Pick<ProgramContext, "stderr">,
  settings: Settings,
  work: (storage: Storage) => Promise<T>,
  doing = "Reading",
): Promise<T> {
  const storage = await openStorageBeside(settings, randomUUID());
  try {
    stderr.write(`${doing} ${describeStorage(settings)}.\n`);
    return await work(storage);
  } finally {
    await storage.close();
  }
}
