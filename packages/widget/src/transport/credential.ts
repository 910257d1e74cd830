/** A token that names the host's visitor, or a function that returns one. */
export type VisitorToken = string | (() => string | Promise<string>);

/** What names the visitor in a request: a bearer token, or nothing, where a cookie does. */
export interface Credential {
  /** Whether requests carry a token: an address alone does not show a visitor's file then. */
  readonly isBearer: boolean;
  /** The token to send. Rejects when the host's function fails. */
  token(): Promise<string | undefined>;
  /** A token other than the one that was refused; `undefined` if there is none. */
  renewed(refused: string): Promise<string | undefined>;
}

/** The credential of a visitor whom the backend has named. It never changes. */
export function fixedCredential(token: string | undefined): Credential {
  return {
    isBearer: token !== undefined,
    token: () => Promise.resolve(token),
    renewed: () => Promise.resolve(undefined),
  };
}

/**
 * The credential of a visitor whom the host names. The host's function is called once, and again when its token is refused.
 *
 * @param current the option as it is now: the host may set another one
 */
export function hostCredential(current: () => VisitorToken | undefined): Credential {
  let last: { readonly source: VisitorToken; readonly token: Promise<string> } | undefined;

  const token = async () => {
    const source = current();
    if (typeof source !== "function") return source;
    if (last?.source !== source) last = { source, token: Promise.resolve().then(source) };
    const requested = last;
    return requested.token.catch((error: unknown) => {
      if (last === requested) last = undefined;
      throw error;
    });
  };
  return {
    isBearer: true,
    token,
    async renewed(refused) {
      const before = last;
      const now = await token();
      if (now !== refused) return now;
      // Of several requests that are refused at once only the first calls the function again.
      if (last === before) last = undefined;
      const renewed = await token();
      return renewed === refused ? undefined : renewed;
    },
  };
}
