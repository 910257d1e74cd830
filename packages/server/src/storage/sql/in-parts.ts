import type { Db, SqlDialect } from "./sql-dialect.ts";

interface PartsOptions {
  /**
   * The number of rows of the first part, and the most and the least of any part. Between them the size follows the
   * duration of the parts.
   */
  readonly first: number;
  readonly most: number;
  readonly least?: number;
  /** The name of a lock: only one instance at a time does parts under it. The other instances leave the work to it. */
  readonly lock?: string;
  /** Called when a part of a single row has failed: skips that row. Returns whether it could. */
  readonly skip?: () => boolean;
}

/**
 * After a failed part, the next try has this fraction of its rows: the part may have taken too long, or met one bad
 * row.
 */
const SHRINK = 8;

/**
 * Does work in one transaction per part, until a part finds no rows. A failed part is retried with fewer rows.
 *
 * @param work on at most `size` rows; returns how many it found
 * @throws at the end, when rows were skipped
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
