import type { Owner, Storage } from "../../storage/storage.ts";

/**
 * Queries the storage as the owner of a run. Another visitor may have claimed the run's thread since it began: what the
 * first owner does not have is looked up again for the current owner.
 *
 * @returns `undefined` when neither owner has it
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
