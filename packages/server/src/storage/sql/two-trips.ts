import { CompiledQuery } from "kysely";
import type { Db, SqlDialect } from "./sql-dialect.ts";

/** Statements by what they look for, sent in their order; `undefined` for one that is not needed this time. */
type Looks = Readonly<Record<string, CompiledQuery | undefined>>;

type RowsOf<Asked extends Looks> = {
  readonly [Name in keyof Asked]: NonNullable<Asked[Name]> extends CompiledQuery<infer Row> ? readonly Row[] : never;
};

/** What a transaction comes to once it has looked. Without writes nothing is kept of it but its result. */
export interface Decision<Result> {
  readonly result: Result;
  readonly writes?: readonly CompiledQuery[];
}

/**
 * A transaction in two round trips, where the database is some milliseconds away: what it locks and reads goes at one
 * go, and so does what it writes, with its end.
 *
 * @param looks statements that change nothing: should the transaction not begin, they run without one
 */
export function inTwoTrips<Asked extends Looks, Result>(
  db: Db,
  dialect: SqlDialect,
  looks: Asked,
  decide: (rows: RowsOf<Asked>) => Decision<Result>,
): Promise<Result> {
  const asked = Object.entries(looks).flatMap(([name, statement]) => (statement ? [{ name, statement }] : []));
  return db.getExecutor().provideConnection(async (connection) => {
    try {
      const [, ...seen] = await dialect.send(connection, [BEGIN, ...asked.map(({ statement }) => statement)]);
      const rows = Object.fromEntries(asked.map(({ name }, index) => [name, seen[index] ?? []]));
      const { result, writes = [] } = decide(rows as RowsOf<Asked>);
      await dialect.send(connection, writes.length > 0 ? [...writes, COMMIT] : [ROLLBACK]);
      return result;
    } catch (error) {
      // Whether it is open any more is not known. A connection that cannot say so is not used again.
      await connection.executeQuery(ROLLBACK).catch(() => undefined);
      throw error;
    }
  });
}

const BEGIN = CompiledQuery.raw("begin");
const COMMIT = CompiledQuery.raw("commit");
const ROLLBACK = CompiledQuery.raw("rollback");
