/** One of the allowed protocols, or none: a path, a query or a fragment begins before the first colon. */
const FOLLOWED = /^(?:(?:https?|ircs?|mailto|xmpp):|[^:]*(?:[/?#]|$))/i;

/**
 * The address of a link if it may be followed: one of the allowed protocols, or relative to the page (a path, a query or a
 * fragment, as react-markdown takes it). Whatever else stands before the first colon, control characters and white space
 * included, is another protocol.
 */
export function safeLink(url: string): string | undefined {
  return FOLLOWED.test(url) ? url : undefined;
}
