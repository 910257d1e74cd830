import type { Log } from "../services/log.ts";
import type { NodeBindings } from "./bindings.ts";

/** A network that a request came from. Its limits are an address's, so many times over. */
export interface ClientNetwork {
  readonly key: string;
  readonly share: number;
}

export interface ClientNetworkOptions {
  /**
   * Proxies of one's own in front, each of which has added the address that it saw to `X-Forwarded-For`. What stands
   * further left there is the client's own word and counts for nothing.
   */
  readonly trustedProxies: number;
  /** Knows the address better: then nothing else is asked. */
  readonly clientAddress?: ((request: Request) => string | undefined) | undefined;
  readonly log: Pick<Log, "warn">;
}

/** Finds the networks that a request came from, the narrowest first: there is always one. */
export type ClientNetworks = (request: Request, bindings: NodeBindings) => readonly ClientNetwork[];

/** An IPv6 site has 2^16 networks of 2^64 addresses each: all of them together have this many times one's limits. */
const SITE_SHARE = 4;

export function createClientNetworks({ trustedProxies, clientAddress, log }: ClientNetworkOptions): ClientNetworks {
  const warned = new Set<string>();
  const warnOnce = (text: string) => {
    if (!warned.has(text)) log.warn({}, text);
    warned.add(text);
  };
  return (request, bindings) => {
    const address = clientAddress
      ? clientAddress(request)
      : (forwardedAddress(request, trustedProxies) ?? bindings.incoming?.socket.remoteAddress);
    if (address === undefined || address === "") {
      warnOnce(UNKNOWN_ADDRESS);
      return [{ key: "unknown", share: 1 }];
    }
    if (!clientAddress && trustedProxies === 0 && request.headers.has("x-forwarded-for")) warnOnce(UNTRUSTED_PROXY);
    return networksOf(withoutPort(address));
  };
}

const UNKNOWN_ADDRESS =
  "a request came without an address: all such callers share the limits of one. Give createChatServer the option clientAddress, or hand the bindings of @hono/node-server to fetch.";

const UNTRUSTED_PROXY =
  "a request came with X-Forwarded-For, and no proxy is trusted: if it came through a proxy of yours, all its visitors share the limits of one address. Set trustedProxies (NITKA_TRUSTED_PROXIES) to the number of your proxies.";

function forwardedAddress(request: Request, trustedProxies: number): string | undefined {
  if (trustedProxies === 0) return undefined;
  return request.headers.get("x-forwarded-for")?.split(",").at(-trustedProxies)?.trim() || undefined;
}

/** Some proxies write the port, too: `1.2.3.4:5678`, `[2001:db8::1]:5678`. */
function withoutPort(address: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
}

/** One household has one IPv4 address, or 2^64 IPv6 ones with the same beginning: they count as one. */
function networksOf(address: string): readonly ClientNetwork[] {
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (v4 !== undefined || !address.includes(":")) return [{ key: v4 ?? address, share: 1 }];
  const [head = "", tail] = address.split("%", 1)[0]?.split("::") ?? [];
  const groups = head === "" ? [] : head.split(":");
  const rest = tail === undefined || tail === "" ? [] : tail.split(":");
  const filled = tail === undefined ? groups : [...groups, ...zeros(8 - groups.length - rest.length), ...rest];
  const prefix = (length: number) => filled.slice(0, length).map(shortest).join(":");
  return [
    { key: prefix(4), share: 1 },
    { key: prefix(3), share: SITE_SHARE },
  ];
}

function zeros(count: number): string[] {
  return Array.from({ length: Math.max(0, count) }, () => "0");
}

function shortest(group: string): string {
  return group.toLowerCase().replace(/^0+(?=.)/, "");
}
