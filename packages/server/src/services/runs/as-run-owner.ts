import type { Owner, Storage } from "../../storage/storage.ts";

/**
 * Queries the storage as the owner of a run. Another visitor may have claimed the run's thread since it began: what the
 * first owner does not have is looked up again for the current owner.
 *
 * @param find returns `undefined` or `false` when this owner does not have it
 * @returns `undefined` when neither owner has it
 */
export async function asRunOwner<T>(
  runs: Pick<Storage["runs"], "ownerOf">,
  { runId, owner }: { readonly runId: string; readonly owner: Owner },
  find: (owner: Owner) => Promise<T | false | undefined>,
): Promise<T | undefined> {
  const found = await find(owner);
  if (found !== undefined && found !== false) return found;
  const present = await runs.ownerOf(runId);
  if (present === undefined || present.visitorId === owner.visitorId) return undefined;
  return (await find(present)) || undefined;
}
