import { CONFIG_TIMEOUT_MS } from "../timings.ts";

/** A token that names the host's visitor, or a function that returns one. */
export type VisitorToken = string | (() => string | Promise<string>);

/** How a request names the visitor: by a bearer token, or by a cookie and no token. */
export interface Credential {
  /** Whether requests carry a token. If so, a visitor's file cannot be shown by its address alone. */
  readonly isBearer: boolean;
  /** The error of the host's function, if the config was requested without a token because of it. */
  failure?: Error;
  /**
   * The token to send. Rejects if the host's function fails or takes too long.
   *
   * @param refused a token that was refused: another one is needed, and `undefined` is returned if the function returns the
   * same
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
 * @param current the option's current value, which the host may replace
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
      // If several requests are refused at once, only the first calls the function again.
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
