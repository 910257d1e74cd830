import { z } from "zod";

/** An operator of the desk, by name. */
export interface NamedDeskKey {
  readonly name: string;
  readonly key: string;
}

const MIN_CHARS = 16;

/**
 * The keys of `NITKA_DESK_KEYS`. A name may occur twice, so that its key can be changed. A key may not, because it
 * identifies the operator. Error messages do not contain keys.
 *
 * @example deskKeys.parse("anna:a key of 16 chars,boris:another of 16 chars")
 */
export const deskKeys = z.string().transform((text, context): readonly NamedDeskKey[] => {
  const entries = text.split(",").map((entry) => {
    const at = entry.indexOf(":");
    return { name: entry.slice(0, Math.max(at, 0)).trim(), key: entry.slice(at + 1).trim(), hasColon: at >= 0 };
  });
  const keys = entries.map(({ key }) => key);
  for (const [index, { name, key, hasColon }] of entries.entries()) {
    const problem = !hasColon
      ? "has no colon"
      : !/^[\p{L}\p{N}][\p{L}\p{N}._ -]{0,63}$/u.test(name)
        ? "needs a name of letters, digits, spaces and . _ - before its colon"
        : key.length < MIN_CHARS
          ? `has a key of ${key.length} characters`
          : keys.indexOf(key) < index
            ? `has the same key as entry ${keys.indexOf(key) + 1}`
            : undefined;
    if (problem !== undefined) context.addIssue({ code: "custom", message: `entry ${index + 1} ${problem}` });
  }
  return entries.map(({ name, key }) => ({ name, key }));
});
