import type { CompiledQuery } from "kysely";

/**
 * A statement that is compiled at its first use and kept: compiling takes longer than sending.
 *
 * @param build gets a placeholder in place of the values, and puts it or its fields into the statement. It must not
 * decide anything by them, since each use fills in its own values. A missing field is filled in as `null`
 *
 * @example
 * const find = compileOnce(({ runId }: { readonly runId: string }) =>
 *   db.selectFrom("run").selectAll().where("run_id", "=", runId).compile());
 * const { rows } = await db.executeQuery(find({ runId: "run1" }));
 */
export function compileOnce<Values, Row>(
  build: (values: Values) => CompiledQuery<Row>,
): (values: Values) => CompiledQuery<Row> {
  let compiled: CompiledQuery<Row> | undefined;
  return (values) => withValues((compiled ??= build(placeholder([]) as Values)), values);
}

/** The same for several statements that share their values. */
export function compileAllOnce<Values>(
  build: (values: Values) => readonly CompiledQuery[],
): (values: Values) => readonly CompiledQuery[] {
  let compiled: readonly CompiledQuery[] | undefined;
  return (values) => (compiled ??= build(placeholder([]) as Values)).map((statement) => withValues(statement, values));
}

/** The key under which a placeholder has the path of its value: the names of the fields that lead to it. */
const PATH = Symbol("path");

/** Kysely does not read parameters while it compiles, so a placeholder can stand in a parameter's place. */
function placeholder(path: readonly string[]): unknown {
  return new Proxy(
    { [PATH]: path },
    { get: (target, name) => (typeof name === "string" ? placeholder([...path, name]) : target[name as typeof PATH]) },
  );
}

function pathOf(parameter: unknown): readonly string[] | undefined {
  return typeof parameter === "object" && parameter !== null && PATH in parameter
    ? (parameter[PATH] as readonly string[])
    : undefined;
}

function withValues<Row>(compiled: CompiledQuery<Row>, values: unknown): CompiledQuery<Row> {
  const parameters = compiled.parameters.map((parameter) => {
    const path = pathOf(parameter);
    return path === undefined ? parameter : (path.reduce<unknown>(fieldOf, values) ?? null);
  });
  return { ...compiled, parameters };
}

function fieldOf(value: unknown, name: string): unknown {
  return (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
}
