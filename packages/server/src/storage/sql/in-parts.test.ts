import { Kysely, SqliteDialect } from "kysely";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openSqliteDatabase } from "../sqlite-database.ts";
import { createSqliteDialect } from "../sqlite-dialect.ts";
import { inParts } from "./in-parts.ts";
import type { Schema } from "./schema.ts";

describe("work in parts", () => {
  const dialect = { ...createSqliteDialect(() => Promise.resolve()), partMs: 10 };
  let db: Kysely<Schema>;
  let sizes: number[];
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["performance"] });
    db = new Kysely({ dialect: new SqliteDialect({ database: openSqliteDatabase({ path: ":memory:" }) }) });
    sizes = [];
  });
  afterEach(async () => {
    vi.useRealTimers();
    await db.destroy();
  });

  async function allOf(parts: AsyncIterable<number>): Promise<number> {
    let sum = 0;
    for await (const count of parts) sum += count;
    return sum;
  }

  /** Rows that each take `rowMs`; parts with more than `most` of them fail. */
  const rows = (count: number, rowMs: number, most = count) => {
    let left = count;
    return async (_: unknown, size: number) => {
      sizes.push(size);
      if (size > most) throw new Error("too many at once");
      const found = Math.min(left, size);
      left -= found;
      vi.advanceTimersByTime(found * rowMs);
      return found;
    };
  };

  it("has as many rows in a part as can be done in its time", async () => {
    expect(await allOf(inParts(db, dialect, { first: 8, most: 64 }, rows(200, 0.1)))).toBe(200);
    expect(sizes).toEqual([8, 16, 32, 64, 64, 64, 64]);
    sizes = [];
    expect(await allOf(inParts(db, dialect, { first: 8, most: 64 }, rows(20, 4)))).toBe(20);
    expect(sizes.slice(0, 4)).toEqual([8, 4, 2, 2]);
    sizes = [];
    await allOf(inParts(db, dialect, { first: 8, most: 64, least: 8 }, rows(20, 4)));
    expect(new Set(sizes)).toEqual(new Set([8]));
    sizes = [];
    // It doubles after a part that took less than half of its time.
    expect(await allOf(inParts(db, dialect, { first: 9, most: 64 }, rows(40, 0.5)))).toBe(40);
    expect(sizes.slice(0, 2)).toEqual([9, 18]);
    sizes = [];
    expect(await allOf(inParts(db, dialect, { first: 10, most: 64 }, rows(40, 0.5)))).toBe(40);
    expect(sizes.slice(0, 2)).toEqual([10, 10]);
  });

  it("retries a failed part with fewer rows, and gives up when a single row fails", async () => {
    expect(await allOf(inParts(db, dialect, { first: 64, most: 64 }, rows(10, 6, 8)))).toBe(10);
    expect(sizes.slice(0, 2)).toEqual([64, 8]);
    sizes = [];
    await expect(allOf(inParts(db, dialect, { first: 64, most: 64 }, rows(10, 6, 0)))).rejects.toThrow("too many");
    expect(sizes).toEqual([64, 8, 1]);
  });
});
