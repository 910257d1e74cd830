/**
 * A parameter as every database takes it. Text that is to be kept is cleaned before; what else holds a NUL, such as
 * an id that somebody made up, becomes one that nothing has.
 */
export function storableText(value: unknown): unknown {
  return typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;
}
