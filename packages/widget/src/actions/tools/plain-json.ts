/**
 * A value as JSON. What JSON would leave out silently is an error.
 *
 * @throws Error that says what is wrong with the value, as the end of a sentence
 *
 * @example
 * plainJson({ sum: 5 }) // '{"sum":5}'
 * plainJson({ onClick() {} }) // Error: its field "onClick" is a function, which JSON cannot hold
 * plainJson(undefined) // Error: it is undefined
 */
export function plainJson(value: unknown): string {
  const json = JSON.stringify(value, (name, held: unknown) => {
    const kind = typeof held;
    if (kind === "function" || kind === "symbol" || kind === "bigint") {
      throw new Error(`${name ? `its field "${name}"` : "it"} is a ${kind}, which JSON cannot hold`);
    }
    return held;
  }) as string | undefined;
  if (json === undefined) throw new Error("it is undefined");
  return json;
}

/** The first line of an error's message. For a circular structure Chromium adds lines that draw the cycle. */
export function reasonOf(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return text.split("\n", 1)[0] ?? "";
}
