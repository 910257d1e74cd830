import type { Owner, Storage } from "../storage/storage.ts";

/**
 * Asks the storage in the name of a run's owner. Its thread may have been claimed since the run began, by any instance:
 * what its first owner does not have is looked for at its owner of now.
 */
export async function asOwner<T>(
  runs: Pick<Storage["runs"], "ownerOf">,
  { runId, owner }: { readonly runId: string; readonly owner: Owner },
  ask: (owner: Owner) => Promise<T | undefined>,
): Promise<T | undefined> {
  const answer = await ask(owner);
  if (answer !== undefined) return answer;
  const now = await runs.ownerOf(runId);
  return now === undefined || now.visitorId === owner.visitorId ? undefined : ask(now);
}
