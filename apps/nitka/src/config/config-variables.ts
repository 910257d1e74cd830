/**
 * A copy of a JSON value whose strings have the values of the variables that they name as `${NAME}`. `$${` is a plain `${`.
 *
 * @param problems takes a sentence for each variable that is not set
 */
export function withVariables(
  value: unknown,
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
  path: readonly string[] = [],
): unknown {
  if (typeof value === "string") {
    return value.replace(/\$?\$\{(?:([A-Za-z_]\w*)\})?/g, (found, name: string | undefined) => {
      if (found.startsWith("$$")) return found.slice(1);
      const given = name === undefined ? undefined : env[name];
      if (given) return given;
      const expected =
        name === undefined
          ? "a variable's name and } after ${ (write $${ for a plain ${)"
          : `the environment variable ${name} to be set`;
      problems.push(`${path.join(".")} holds ${found}: expected ${expected}.`);
      return found;
    });
  }
  if (Array.isArray(value)) return value.map((each, n) => withVariables(each, env, problems, [...path, String(n)]));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, withVariables(each, env, problems, [...path, key])]);
  // `fromEntries` defines a field that is called `__proto__`, too.
  return Object.fromEntries(entries) as unknown;
}
