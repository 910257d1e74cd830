import type { Db, SqlDialect } from "./sql-dialect.ts";

interface PartsOptions {
  /** Rows of the first part, and the most and the least of any. Between them the size follows the time that parts take. */
  readonly first: number;
  readonly most: number;
  readonly least?: number;
  /** One instance at a time does parts of this name. Others leave the work to it. */
  readonly lock?: string;
  /** Steps over the row that a part of a single row has failed with. Returns whether it could. */
  readonly skip?: () => boolean;
}

/** The next try after a part that failed has this fraction of its rows: it may have taken too long, or met one bad row. */
const SHRINK = 8;

/**
 * Does work in one transaction for each part, until a part finds no rows. A part that fails is tried again with fewer rows.
 *
 * @param work on at most `size` rows; returns how many it found
 * @throws at the end, when rows were stepped over
 */
export async function* inParts(
  db: Db,
  dialect: SqlDialect,
  { first, most, least = 1, lock, skip = () => false }: PartsOptions,
  work: (transaction: Db, size: number) => Promise<number>,
): AsyncGenerator<number> {
  let skipped = 0;
  let firstFailure: unknown;
  const isFree = async (transaction: Db) => {
    const taken = lock === undefined ? undefined : await dialect.tryLock(lock)?.execute(transaction);
    return taken?.rows[0]?.locked ?? true;
  };
  for (let size = first; ;) {
    let ms = 0;
    let found = 0;
    try {
      const part = db.transaction().execute(async (transaction) => {
        if (!(await isFree(transaction))) return;
        const start = performance.now();
        found = await work(transaction, size);
        ms = performance.now() - start;
      });
      await part;
      if (found === 0) break;
      await dialect.durable(part);
    } catch (error) {
      if (size === 1 && !skip()) throw error;
      if (size === 1) skipped += 1;
      firstFailure ??= error;
      size = Math.floor(size / SHRINK) || 1;
      continue;
    }
    yield found;
    if (ms > dialect.partMs) size = Math.max(least, Math.floor(size / 2));
    else if (ms < dialect.partMs / 2) size = Math.min(most, size * 2);
  }
  if (skipped > 0)
    throw new Error(`${skipped} could not be dropped. The first error was this:`, { cause: firstFailure });
}
