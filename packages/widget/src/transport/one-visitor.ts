import type { Credential } from "./credential.ts";

/**
 * The credential of one visitor: the first whom a token of the host names. No request is sent for another visitor, who would
 * otherwise get this one's content.
 *
 * @param onOther called when a token names another visitor, or when it is unknown who is signed in; this widget has to end
 */
export function oneVisitor(
  credential: Credential,
  onOther: (isKnown: boolean) => void,
): Credential & {
  readonly subject: () => Promise<string | undefined>;
  readonly askWho: (again?: boolean) => Promise<unknown>;
} {
  let first: { readonly subject: string | undefined } | undefined;
  const own = {
    isBearer: true,
    subject: async () => subjectOf((await own.token()) ?? ""),
    askWho: (again = false) =>
      own
        .token()
        .then((token) => (again ? own.token(token) : token))
        // The visitor may have signed out. The next one must not see this one's content.
        .catch(() => again && onOther(false)),
    async token(refused?: string): Promise<string | undefined> {
      const token = await credential.token(refused);
      const subject = token && subjectOf(token);
      first ??= { subject };
      if (first.subject === subject) return token;
      onOther(true);
      return new Promise(() => undefined);
    },
  };
  return own;
}

/**
 * The subject (`sub`) of a JWT; `undefined` if the text is no JWT or has no subject. The signature is not checked, because the
 * subject only separates the visitors of one browser.
 */
export function subjectOf(token: string): string | undefined {
  try {
    const claims = atob((token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/"));
    const { sub } = JSON.parse(claims) as { readonly sub?: unknown };
    return typeof sub === "string" ? sub : undefined;
  } catch {
    return undefined;
  }
}
