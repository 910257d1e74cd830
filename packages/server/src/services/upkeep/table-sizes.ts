import type { Storage } from "../../storage/storage.ts";
import { TABLE_SIZES_FRESH_MS, TABLE_SIZES_TIMEOUT_MS } from "../timings.ts";

/** The bytes of the database's tables, by name. Empty until the database has returned them once. */
export type TableSizes = () => Promise<Readonly<Record<string, number>>>;

export function createTableSizes(storage: Pick<Storage, "tableBytes">, clock: () => Date): TableSizes {
  let sizes: Readonly<Record<string, number>> = {};
  let askedAt: number | undefined;

  async function ask(): Promise<void> {
    try {
      sizes = await storage.tableBytes();
    } catch {
      // The sizes stay what they were. `/readyz` reports that the database is away.
    }
  }

  return async () => {
    const now = clock().getTime();
    if (askedAt !== undefined && Math.abs(now - askedAt) < TABLE_SIZES_FRESH_MS) return sizes;
    askedAt = now;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, TABLE_SIZES_TIMEOUT_MS);
    });
    await Promise.race([ask(), late]);
    clearTimeout(timer);
    return sizes;
  };
}
