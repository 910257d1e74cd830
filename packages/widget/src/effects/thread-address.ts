/** Reads and writes the thread in the page's address. These functions are pure. */
export type Routing = "path" | "hash" | "none";

export interface AddressRules {
  readonly routing: Routing;
  /** The prefix of `/c/{threadId}`. It is empty, or starts with a slash and ends without one. */
  readonly basePath: string;
}

type Address = Pick<Location, "pathname" | "search" | "hash">;

/**
 * The id of the thread that an address names.
 *
 * @example
 * threadIn(new URL("https://shop.example/help/c/t1"), { routing: "path", basePath: "/help" }) // "t1"
 * threadIn(new URL("https://shop.example/help#/c/t1"), { routing: "hash", basePath: "" }) // "t1"
 */
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

/**
 * The path, query and hash that name this thread. The parts that belong to the page are kept.
 *
 * @example addressOf("t1", new URL("https://shop.example/help?a=1"), { routing: "path", basePath: "/help" }) // "/help/c/t1?a=1"
 */
export function addressOf(threadId: string, address: Address, { routing, basePath }: AddressRules): string {
  const path = `${basePath}/c/${encodeURIComponent(threadId)}`;
  return routing === "hash" ? `${address.pathname}${address.search}#${path}` : path + address.search + address.hash;
}

/**
 * Whether the widget may change an address: the base path itself or the address of a thread. Other addresses belong to the
 * page.
 */
export function isWidgetAddress(address: Address, rules: AddressRules): boolean {
  if (rules.routing === "none") return false;
  const path = pathOf(address, rules.routing);
  return [rules.basePath, `${rules.basePath}/`].includes(path) || path.startsWith(`${rules.basePath}/c/`);
}

function pathOf({ pathname, hash }: Address, routing: Routing): string {
  return routing === "hash" ? hash.replace(/^#/, "") : pathname;
}
