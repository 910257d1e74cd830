/** A token that names the host's visitor, or the function that gives one. */
export type VisitorToken = string | (() => string | Promise<string>);

/** What names the visitor in a call: a bearer token, or nothing, and then perhaps a cookie. */
export interface Credential {
  /** Whether calls have a token: then no address alone shows a visitor's file. */
  readonly isBearer: boolean;
  /** The token to send. Rejects when the host cannot give one. */
  token(): Promise<string | undefined>;
  /** Another token than the one that was refused; `undefined` when there is none. */
  renewed(refused: string): Promise<string | undefined>;
}

/** The credential of a visitor whom the backend has named. It stays as it is. */
export function fixedCredential(token: string | undefined): Credential {
  return {
    isBearer: token !== undefined,
    token: () => Promise.resolve(token),
    renewed: () => Promise.resolve(undefined),
  };
}

/**
 * The credential of a visitor whom the host names. A function is asked once, and again when its token is refused.
 *
 * @param current the option as it is now: a host may set another
 */
export function hostCredential(current: () => VisitorToken | undefined): Credential {
  let asked: { readonly source: VisitorToken; readonly token: Promise<string> } | undefined;

  const token = async () => {
    const source = current();
    if (typeof source !== "function") return source;
    if (asked?.source !== source) asked = { source, token: Promise.resolve().then(source) };
    const mine = asked;
    return mine.token.catch((error: unknown) => {
      if (asked === mine) asked = undefined;
      throw error;
    });
  };
  return {
    isBearer: true,
    token,
    async renewed(refused) {
      const before = asked;
      const held = await token();
      if (held !== refused) return held;
      // Several calls that are refused at a time ask once.
      if (asked === before) asked = undefined;
      const renewed = await token();
      return renewed === refused ? undefined : renewed;
    },
  };
}
