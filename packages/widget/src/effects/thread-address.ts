/** How the address names a thread. Pure: what the browser's address is comes in, what it is to be goes out. */
export type Routing = "path" | "hash" | "none";

export interface AddressRules {
  readonly routing: Routing;
  /** Before `/c/{threadId}`: begins with a slash and ends without one, or is empty. */
  readonly basePath: string;
}

type Address = Pick<Location, "pathname" | "search" | "hash">;

/** The thread that an address names. */
export function threadIn(address: Address, { routing, basePath }: AddressRules): string | undefined {
  if (routing === "none") return undefined;
  const path = pathOf(address, routing);
  const prefix = `${basePath}/c/`;
  const [id = ""] = path.startsWith(prefix) ? path.slice(prefix.length).split("/", 1) : [];
  try {
    return id === "" ? undefined : decodeURIComponent(id);
  } catch {
    return undefined;
  }
}

/** The same address with this thread in it. What a page keeps in its query stays. */
export function addressOf(threadId: string, address: Address, { routing, basePath }: AddressRules): string {
  const path = `${basePath}/c/${encodeURIComponent(threadId)}`;
  return routing === "hash" ? `${address.pathname}${address.search}#${path}` : `${path}${address.search}`;
}

/** Whether an address is one that the widget may change: a page's other routes are the page's own. */
export function isOurs(address: Address, rules: AddressRules): boolean {
  if (rules.routing === "none") return false;
  const path = pathOf(address, rules.routing);
  return [rules.basePath, `${rules.basePath}/`].includes(path) || path.startsWith(`${rules.basePath}/c/`);
}

function pathOf({ pathname, hash }: Address, routing: Routing): string {
  return routing === "hash" ? hash.replace(/^#/, "") : pathname;
}
