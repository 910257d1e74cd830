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
