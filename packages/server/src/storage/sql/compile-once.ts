import type { CompiledQuery } from "kysely";

/** Puts a value into a statement that is not known yet: each use of the statement picks it from what it brings. */
export type Given<Values> = <T>(pick: (values: Values) => T) => T;

/**
 * Statements whose texts are made at their first use and kept: making a text takes longer than sending it.
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
  return (values) => withValues((compiled ??= build(givenLater)), values);
}

/** The same for several statements that are used together. */
export function compileAllOnce<Values>(
  build: (given: Given<Values>) => readonly CompiledQuery[],
): (values: Values) => readonly CompiledQuery[] {
  let compiled: readonly CompiledQuery[] | undefined;
  return (values) => (compiled ??= build(givenLater)).map((each) => withValues(each, values));
}

/** Stands in a statement for what its uses bring. */
class Later {
  readonly pick: (values: never) => unknown;

  constructor(pick: (values: never) => unknown) {
    this.pick = pick;
  }
}

/** Nothing looks at a parameter while a statement's text is made: this passes for whatever it will be. */
function givenLater<T>(pick: (values: never) => T): T {
  return new Later(pick) as T;
}

function withValues<Row>(compiled: CompiledQuery<Row>, values: unknown): CompiledQuery<Row> {
  const parameters = compiled.parameters.map((each) => (each instanceof Later ? each.pick(values as never) : each));
  return { ...compiled, parameters };
}
