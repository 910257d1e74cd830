/** A cookie's value; `undefined` without one, and where the browser lets nobody read. */
export function readCookie(name: string): string | undefined {
  try {
    const pair = document.cookie.split("; ").find((candidate) => candidate.startsWith(`${name}=`));
    return pair === undefined ? undefined : decodeURIComponent(pair.slice(name.length + 1));
  } catch {
    return undefined;
  }
}

/** Sets a cookie for the whole site, for so many seconds. Where cookies are refused, nothing happens. */
export function writeCookie(name: string, value: string, maxAge: number): void {
  try {
    document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${maxAge}; SameSite=Lax`;
  } catch {
    // A sandboxed page may not set cookies: the widget then begins afresh next time.
  }
}
