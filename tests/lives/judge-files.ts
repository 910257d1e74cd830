import { setTimeout as sleep } from "node:timers/promises";
import { timings } from "./instance.ts";
import type { Place } from "./place.ts";
import type { Visitor } from "./visitor.ts";

/** Dropped files are deleted in rounds, and a file whose deletion fails once is postponed. This many rounds are enough. */
const TURNS = 10;

/**
 * The store has no files that the database does not know, and files of archived threads are deleted soon.
 *
 * @param mayStay whether a deletion has failed: that of an archived thread's file is retried in ten minutes
 */
export async function judgeFiles(
  visitors: readonly Visitor[],
  place: Pick<Place, "files" | "knownFiles">,
  { mayStay, wrong }: { readonly mayStay: boolean; readonly wrong: (text: string) => void },
): Promise<void> {
  const known = new Set(await place.knownFiles());
  // The order matters: a file that a sweep deletes meanwhile was known.
  for (const file of place.files()) {
    if (!known.has(file.replace(/\.part$/, ""))) wrong(`the file ${file} is left, and the database does not know it`);
  }
  if (mayStay) return;
  const archived = visitors.flatMap(({ told }) =>
    [...told.threads.values()].filter((thread) => thread.archived === "yes").map(({ files }) => files),
  );
  const left = () => place.files().filter((file) => archived.some((files) => files.has(file)));
  for (let turn = 0; turn < TURNS && left().length > 0; turn += 1) await sleep(timings.sweepMs);
  for (const id of left()) wrong(`the file ${id} of an archived thread is left`);
}
