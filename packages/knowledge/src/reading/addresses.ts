/** Which of a source's addresses are read: patterns of path and query as a whole, in which `*` stands for anything. */
export interface AddressFilter {
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

/** An address as pages are known by: absolute, of `origin`, without a fragment and credentials. */
export function pageAddress(address: string, base: string): string | undefined {
  const url = URL.parse(address, base);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return undefined;
  url.hash = "";
  return url.href;
}

/** Patterns may be written with or without percent-encoding. */
export function isWanted(address: string, { include, exclude }: AddressFilter): boolean {
  const { pathname, search } = new URL(address);
  const forms = [pathname + search, decodeAddress(pathname + search)];
  const meets = (pattern: string): boolean => forms.some((form) => matchesPattern(form, pattern));
  return (include === undefined || include.some(meets)) && !(exclude?.some(meets) ?? false);
}

/** Without percent-encoding where it is valid. */
export function decodeAddress(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Whether `*` in the pattern can stand for parts of the text so that both are the same. The time grows with the length of the
 * text: that of a regular expression with many `*` would not.
 */
export function matchesPattern(text: string, pattern: string): boolean {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found === -1 || found + part.length > text.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}
