import { CONFIG_TIMEOUT_MS } from "../timings.ts";

/** A token that names the host's visitor, or a function that returns one. */
export type VisitorToken = string | (() => string | Promise<string>);

/** What names the visitor in a request: a bearer token, or nothing, where a cookie does. */
export interface Credential {
  /** Whether requests carry a token: an address alone does not show a visitor's file then. */
  readonly isBearer: boolean;
  /** Why the config's request went without a token: the host's function has failed. */
  failure?: Error;
  /**
   * The token to send. Rejects when the host's function fails, or gives none in time.
   *
   * @param refused a token that was refused: another one is wanted, and there is none where the same comes again
   */
  token(refused?: string): Promise<string | undefined>;
}

/** The credential of a visitor whom the backend has named. It never changes. */
export function fixedCredential(token: string | undefined): Credential {
  return { isBearer: token !== undefined, token: async () => token };
}

/**
 * The credential of a visitor whom the host names. The host's function is called once, and again when its token is refused.
 *
 * @param current the option as it is now: the host may set another one
 */
export function hostCredential(current: () => VisitorToken | undefined): Credential {
  let last: { readonly token: Promise<string> } | undefined;

  return {
    isBearer: true,
    async token(refused) {
      const source = current();
      if (typeof source !== "function") {
        last = undefined;
        return source;
      }
      const before = last;
      const isRefused = refused !== undefined && (await before?.token.catch(() => undefined)) === refused;
      // Of several requests that are refused at once only the first calls the function again.
      if (!before || (isRefused && last === before)) {
        const token = new Promise<string>((resolve, reject) => {
          const timer = setTimeout(reject, CONFIG_TIMEOUT_MS, new Error("visitorToken() hangs."));
          const stop = () => clearTimeout(timer);
          Promise.resolve().then(source).then(resolve, reject).finally(stop);
        });
        last = { token };
        token.catch(() => {
          if (last?.token === token) last = undefined;
        });
      }
      return last?.token;
    },
  };
}
