/** One of the allowed protocols, or none: a path, a query or a fragment begins before the first colon. */
const FOLLOWED = /^(?:(?:https?|ircs?|mailto|xmpp):|[^:]*(?:[/?#]|$))/i;

/**
 * The address of a link if it may be followed: one with an allowed protocol or relative to the page, by the rule of
 * react-markdown's `defaultUrlTransform`. Anything else before the first colon counts as another protocol, including control
 * characters and white space.
 *
 * @example
 * safeLink("mailto:a@example.com") // "mailto:a@example.com"
 * safeLink("?q=a:b") // "?q=a:b"
 * safeLink("java\nscript:alert(1)") // undefined
 */
export function safeLink(url: string): string | undefined {
  return FOLLOWED.test(url) ? url : undefined;
}

/**
 * The address of an image if it may be loaded: absolute, over http or https, from one of the hosts. Even a request can leak the
 * conversation, because a prompt injection can put it into the address of an image.
 *
 * This is for images in markdown. Image parts may also have bytes and addresses of the server: see `ui/parts/image-part.tsx`.
 *
 * @param hosts such as `cdn.example.com` or `localhost:3000`; one without a port allows all ports
 *
 * @example
 * safeImage("https://cdn.example.com/a.png", ["cdn.example.com"]) // "https://cdn.example.com/a.png"
 * safeImage("https://other.example/?q=secret", ["cdn.example.com"]) // undefined
 */
export function safeImage(url: string, hosts: readonly string[] = []): string | undefined {
  // `https:a.png` without slashes is relative on a page of the same protocol.
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const { host, hostname, href, username, password } = new URL(url);
  if (username !== "" || password !== "") return undefined;
  const isAllowed = hosts.some((name) => [host, hostname].includes(name.toLowerCase()));
  return isAllowed ? href : undefined;
}
