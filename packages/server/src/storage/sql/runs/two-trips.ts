import { CompiledQuery } from "kysely";
import type { Db, SqlDialect } from "../sql-dialect.ts";

/** Named statements, sent in order. `undefined` for one that is not needed this time. */
type Reads = Readonly<Record<string, CompiledQuery | undefined>>;

type RowsOf<Asked extends Reads> = {
  readonly [Name in keyof Asked]: NonNullable<Asked[Name]> extends CompiledQuery<infer Row> ? readonly Row[] : never;
};

/** The result of a transaction and its writes. A transaction without writes is rolled back. */
export interface Decision<Result> {
  readonly result: Result;
  readonly writes?: readonly CompiledQuery[];
}

/**
 * A transaction in two round trips (decision 16): BEGIN with all locks and reads, then all writes with COMMIT.
 *
 * @param reads locks and reads. They must not change data: if BEGIN fails, they run without a transaction
 * @param decide returns the result and the writes, from the rows of `reads`
 */
export function inTwoTrips<Asked extends Reads, Result>(
  db: Db,
  dialect: SqlDialect,
  reads: Asked,
  decide: (rows: RowsOf<Asked>) => Decision<Result>,
): Promise<Result> {
  const asked = Object.entries(reads).flatMap(([name, statement]) => (statement ? [{ name, statement }] : []));
  return db.getExecutor().provideConnection(async (connection) => {
    try {
      const [, ...seen] = await dialect.send(connection, [BEGIN, ...asked.map(({ statement }) => statement)]);
      const rows = Object.fromEntries(asked.map(({ name }, index) => [name, seen[index] ?? []]));
      const { result, writes = [] } = decide(rows as RowsOf<Asked>);
      await dialect.send(connection, writes.length > 0 ? [...writes, COMMIT] : [ROLLBACK]);
      return result;
    } catch (error) {
      // The transaction may still be open. If the rollback fails, the pool drops the connection.
      await connection.executeQuery(ROLLBACK).catch(() => undefined);
      throw error;
    }
  });
}

/**
 * A transaction in one round trip, for statements whose rows do not decide about later ones. Returns the rows of each.
 * If BEGIN fails, each statement takes effect separately.
 */
export function inOneTrip(
  db: Db,
  dialect: SqlDialect,
  statements: readonly CompiledQuery[],
): Promise<readonly (readonly unknown[])[]> {
  return db.getExecutor().provideConnection(async (connection) => {
    // COMMIT rolls back after a failed statement.
    const rows = await dialect.send(connection, [BEGIN, ...statements, COMMIT]);
    return rows.slice(1, -1);
  });
}

const BEGIN = CompiledQuery.raw("begin");
const COMMIT = CompiledQuery.raw("commit");
const ROLLBACK = CompiledQuery.raw("rollback");
