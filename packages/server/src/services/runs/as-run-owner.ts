import type { Owner, Storage } from "../../storage/storage.ts";

/**
 * Asks the storage as a run's owner. The run's thread may have been claimed by another visitor since the run began: what
 * is not found for the first owner is looked for once more, for the present one.
 *
 * @returns `undefined` when neither has it
 */
export async function asRunOwner<T>(
  runs: Pick<Storage["runs"], "ownerOf">,
  { runId, owner }: { readonly runId: string; readonly owner: Owner },
  find: (owner: Owner) => Promise<T | undefined>,
): Promise<T | undefined> {
  const found = await find(owner);
  if (found !== undefined) return found;
  const present = await runs.ownerOf(runId);
  return present === undefined || present.visitorId === owner.visitorId ? undefined : find(present);
}
