import type { Log } from "../services/log.ts";
import type { NodeBindings } from "./node-bindings.ts";

/** A network that a request came from. */
export interface ClientNetwork {
  readonly key: string;
  /** The factor by which it may exceed the limits of one address. */
  readonly share: number;
}

export interface ClientNetworkOptions {
  /**
   * The number of the operator's proxies in front. Each appends the address that it saw to `X-Forwarded-For`, so the
   * client's address is this many entries from the right. A client can forge everything further left.
   */
  readonly trustedProxies: number;
  /** Replaces the header and the socket, if the surrounding framework knows the address. */
  readonly clientAddress?: ((request: Request) => string | undefined) | undefined;
  readonly logger: Pick<Log, "warn">;
}

/** Returns the networks that a request came from, the narrowest first. At least one. */
export type ClientNetworks = (request: Request, bindings: NodeBindings) => readonly ClientNetwork[];

/** An IPv6 site (a /48) has 2^16 networks (/64). Together they may use this many times the limits of one network. */
const SITE_SHARE = 4;

export function createClientNetworks({ trustedProxies, clientAddress, logger }: ClientNetworkOptions): ClientNetworks {
  const warned = new Set<string>();
  const warnOnce = (text: string) => {
    if (!warned.has(text)) logger.warn({}, text);
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
  "a request has no client address: all such clients share the limits of one address. Pass the option clientAddress to createChatServer, or the bindings of @hono/node-server to fetch.";

const UNTRUSTED_PROXY =
  "a request has X-Forwarded-For, but no proxy is trusted: if it came through your own proxy, all visitors behind it share the limits of one address. Set trustedProxies (NITKA_TRUSTED_PROXIES) to the number of your proxies.";

function forwardedAddress(request: Request, trustedProxies: number): string | undefined {
  if (trustedProxies === 0) return undefined;
  return request.headers.get("x-forwarded-for")?.split(",").at(-trustedProxies)?.trim() || undefined;
}

/** Some proxies also write the port: `1.2.3.4:5678`, `[2001:db8::1]:5678`. */
function withoutPort(address: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
}

/**
 * A household has one IPv4 address, or an IPv6 network of 2^64 addresses, which counts as one address.
 *
 * @example
 * networksOf("::ffff:1.2.3.4"); // [{ key: "1.2.3.4", share: 1 }]
 * networksOf("2001:DB8::7%eth0"); // [{ key: "2001:db8:0:0", share: 1 }, { key: "2001:db8:0", share: 4 }]
 */
function networksOf(address: string): readonly ClientNetwork[] {
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (v4 !== undefined || !address.includes(":")) return [{ key: v4 ?? address, share: 1 }];
  const [head = "", tail] = address.split("%", 1)[0]?.split("::") ?? [];
  const groups = head === "" ? [] : head.split(":");
  const rest = tail === undefined || tail === "" ? [] : tail.split(":");
  const filled = tail === undefined ? groups : [...groups, ...zeros(8 - groups.length - rest.length), ...rest];
  const prefix = (length: number) => filled.slice(0, length).map(withoutZeros).join(":");
  return [
    { key: prefix(4), share: 1 },
    { key: prefix(3), share: SITE_SHARE },
  ];
}

function zeros(count: number): string[] {
  return Array.from({ length: Math.max(0, count) }, () => "0");
}

function withoutZeros(group: string): string {
  return group.toLowerCase().replace(/^0+(?=.)/, "");
}
