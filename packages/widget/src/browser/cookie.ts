/** A cookie's value; `undefined` if there is none or the page may not read cookies. */
export function readCookie(name: string): string | undefined {
  try {
    const pair = document.cookie.split("; ").find((candidate) => candidate.startsWith(`${name}=`));
    return pair === undefined ? undefined : decodeURIComponent(pair.slice(name.length + 1));
  } catch {
    return undefined;
  }
}

/** Sets a cookie for the whole site. Does nothing where the page may not set cookies. `maxAge` is in seconds. */
export function writeCookie(name: string, value: string, maxAge: number): void {
  try {
    document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${maxAge}; SameSite=Lax`;
  } catch {
    // In a sandboxed frame the setter throws. The widget then remembers nothing.
  }
}
