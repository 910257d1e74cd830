/** One of the allowed protocols; or none: a path, a query or a fragment begins before the first colon. */
const FOLLOWED = /^(?:(?:https?|ircs?|mailto|xmpp):|[^:]*(?:[/?#]|$))/i;

/**
 * The address of a link if it may be followed: with an allowed protocol or relative to the page, by the rule of
 * react-markdown's `defaultUrlTransform`. Everything else before the first colon counts as another protocol, control
 * characters and white space included.
 *
 * @example
 * safeLink("mailto:a@example.com") // "mailto:a@example.com"
 * safeLink("?q=a:b") // "?q=a:b"
 * safeLink("java\nscript:alert(1)") // undefined
 */
export function safeLink(url: string): string | undefined {
  return FOLLOWED.test(url) ? url : undefined;
}
