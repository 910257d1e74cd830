import type { Storage } from "../storage/storage.ts";

/** How large the database's tables are, as far as is known: none before the first answer of the database. */
export type TableSizes = () => Promise<Readonly<Record<string, number>>>;

/** One question serves all who ask within this time: a database looks at each of its files for the answer. */
const FRESH_MS = 60_000;

/** A database that is slow or away must not hold up the other figures. */
const PATIENCE_MS = 2_000;

export function createTableSizes(storage: Pick<Storage, "tableBytes">, clock: () => Date): TableSizes {
  let sizes: Readonly<Record<string, number>> = {};
  let askedAt: number | undefined;

  async function ask(): Promise<void> {
    try {
      sizes = await storage.tableBytes();
    } catch {
      // `/readyz` says so; the sizes stay what they were.
    }
  }

  return async () => {
    const now = clock().getTime();
    if (askedAt !== undefined && Math.abs(now - askedAt) < FRESH_MS) return sizes;
    askedAt = now;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS);
    });
    await Promise.race([ask(), late]);
    clearTimeout(timer);
    return sizes;
  };
}
