import type { NodeBindings } from "./bindings.ts";

/**
 * The address that a request came from, as far as it can be believed.
 *
 * @param trustedProxies proxies of one's own in front, each of which has added the address that it saw to
 *   `X-Forwarded-For`; what stands further left there is the client's own word and counts for nothing
 */
export function clientAddress(request: Request, bindings: NodeBindings, trustedProxies: number): string | undefined {
  if (trustedProxies > 0) {
    const forwarded = request.headers.get("x-forwarded-for")?.split(",") ?? [];
    const address = forwarded.at(-trustedProxies)?.trim();
    if (address) return network(withoutPort(address));
  }
  const address = bindings.incoming?.socket.remoteAddress;
  return address === undefined ? undefined : network(address);
}

/** Some proxies write the port, too: `1.2.3.4:5678`, `[2001:db8::1]:5678`. */
function withoutPort(address: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
}

/** One household has one IPv4 address, or 2^64 IPv6 ones with the same beginning: they count as one. */
function network(address: string): string {
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (v4 !== undefined) return v4;
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("%", 1)[0]?.split("::") ?? [];
  const groups = head === "" ? [] : head.split(":");
  const rest = tail === undefined || tail === "" ? [] : tail.split(":");
  const filled = tail === undefined ? groups : [...groups, ...zeros(8 - groups.length - rest.length), ...rest];
  return filled.slice(0, 4).map(shortest).join(":");
}

function zeros(count: number): string[] {
  return Array.from({ length: Math.max(0, count) }, () => "0");
}

function shortest(group: string): string {
  return group.toLowerCase().replace(/^0+(?=.)/, "");
}
