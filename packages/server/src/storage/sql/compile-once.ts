import type { CompiledQuery } from "kysely";

/** Makes a placeholder for a value in a statement. Each use of the statement picks the value from its own values. */
export type Given<Values> = <T>(pick: (values: Values) => T) => T;

/**
 * A statement that is compiled at its first use and kept: compiling takes longer than sending.
 *
 * @example
 * const find = compileOnce((given: Given<string>) =>
 *   db.selectFrom("run").selectAll().where("run_id", "=", given((runId) => runId)).compile());
 * const { rows } = await db.executeQuery(find("run1"));
 */
export function compileOnce<Values, Row>(
  build: (given: Given<Values>) => CompiledQuery<Row>,
): (values: Values) => CompiledQuery<Row> {
  let compiled: CompiledQuery<Row> | undefined;
  return (values) => withValues((compiled ??= build(placeholder)), values);
}

/** The same for several statements that share their values. */
export function compileAllOnce<Values>(
  build: (given: Given<Values>) => readonly CompiledQuery[],
): (values: Values) => readonly CompiledQuery[] {
  let compiled: readonly CompiledQuery[] | undefined;
  return (values) => (compiled ??= build(placeholder)).map((each) => withValues(each, values));
}

/** Takes a parameter's place in a compiled statement until `withValues` fills in the value. */
class Placeholder {
  readonly pick: (values: never) => unknown;

  constructor(pick: (values: never) => unknown) {
    this.pick = pick;
  }
}

/** Kysely does not read parameters while it compiles, so a placeholder can be typed as the value. */
function placeholder<T>(pick: (values: never) => T): T {
  return new Placeholder(pick) as T;
}

function withValues<Row>(compiled: CompiledQuery<Row>, values: unknown): CompiledQuery<Row> {
  const parameters = compiled.parameters.map((each) =>
    each instanceof Placeholder ? each.pick(values as never) : each,
  );
  return { ...compiled, parameters };
}
