const protocols = new Set(["http", "https", "irc", "ircs", "mailto", "xmpp"]);

/**
 * The address of a link if it may be followed: one of the allowed protocols, or relative to the page (a path, a query or a
 * fragment, as react-markdown takes it). Whatever else stands before the first colon, control characters and white space
 * included, is another protocol.
 */
export function safeLink(url: string): string | undefined {
  const colon = url.indexOf(":");
  const isRelative = colon < 0 || /[/?#]/.test(url.slice(0, colon));
  return isRelative || protocols.has(url.slice(0, colon).toLowerCase()) ? url : undefined;
}

/**
 * The address of an image if it may be loaded: absolute, over http or https, from one of the hosts. A picture's address is
 * enough to carry away what the model was told, so no other host ever sees a request.
 *
 * @param hosts such as `cdn.example.com` or `localhost:3000`; one without a port stands for all of its ports
 */
export function safeImage(url: string, hosts: readonly string[]): string | undefined {
  // Without the slashes it would be relative to a page of the same protocol.
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const { host, hostname, href, username, password } = new URL(url);
  if (username !== "" || password !== "") return undefined;
  const isAllowed = hosts.some((name) => [host, hostname].includes(name.toLowerCase()));
  return isAllowed ? href : undefined;
}
