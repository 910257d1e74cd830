import { BlockList, isIP } from "node:net";
import { WEBHOOK_TYPES } from "../../storage/webhooks.ts";
import type { WebhookType } from "../../storage/webhooks.ts";

/** An address that receives the events of a project, following Standard Webhooks. */
export interface Webhook {
  /**
   * An `https:` URL; `http:` is allowed for loopback and private addresses, and for names without a dot. Unique within
   * the project.
   */
  readonly url: string;
  /** The key that signs the events: `whsec_` and 24 to 64 bytes in base64. */
  readonly secret: string;
  /** The types of events to send. Default: all. */
  readonly events?: readonly WebhookType[];
  /** Whether the events contain texts (questions, answers, reasons) in addition to ids. Default: `false`. */
  readonly texts?: boolean;
}

const SECRET_PREFIX = "whsec_";
const SECRET_BYTES = { least: 24, most: 64 };

/** @throws TypeError naming the first invalid field */
export function readyWebhooks(webhooks: readonly Webhook[] = [], project: string): readonly Webhook[] {
  const urls = new Set<string>();
  for (const [index, { url, secret, events }] of webhooks.entries()) {
    const name = `${project}.webhooks[${index}]`;
    if (!isWebhookUrl(url)) throw new TypeError(`${name}.url is ${JSON.stringify(url)}: expected ${WEBHOOK_URL}.`);
    if (urls.has(url))
      throw new TypeError(
        `${name}.url is ${JSON.stringify(url)}, and another webhook has the same: list each URL once.`,
      );
    urls.add(url);
    if (!isWebhookSecret(secret)) throw new TypeError(`${name}.secret is not valid: expected ${WEBHOOK_SECRET}.`);
    const unknown = events?.find((event) => !WEBHOOK_TYPES.includes(event));
    if (unknown !== undefined) {
      throw new TypeError(
        `${name}.events holds ${JSON.stringify(unknown)}: expected one of ${WEBHOOK_TYPES.join(", ")}.`,
      );
    }
  }
  return webhooks;
}

/** The format of a webhook's secret, for messages. */
export const WEBHOOK_SECRET = `${SECRET_PREFIX} and ${SECRET_BYTES.least} to ${SECRET_BYTES.most} bytes in base64`;

/** The format of a webhook's address, for messages. */
export const WEBHOOK_URL =
  "an https URL without a user and a password (http only for localhost, a private address, or a name without a dot)";

export function isWebhookSecret(text: unknown): boolean {
  if (typeof text !== "string" || !text.startsWith(SECRET_PREFIX)) return false;
  const base64 = text.slice(SECRET_PREFIX.length);
  const bytes = Buffer.from(base64, "base64");
  return bytes.toString("base64") === base64 && bytes.length >= SECRET_BYTES.least && bytes.length <= SECRET_BYTES.most;
}

export function isWebhookUrl(text: unknown): boolean {
  const url = typeof text === "string" ? URL.parse(text) : null;
  if (!url || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isNear(url.hostname));
}

/** The part of an address that logs show: its path may be as confidential as a key. */
export function hostOf(url: string): string {
  return new URL(url).host;
}

/**
 * Whether a host is only reachable inside a network. Data sent to any other host over `http:` could be read on the way.
 */
function isNear(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, "");
  const version = isIP(address);
  if (version > 0) return near.check(address, version === 4 ? "ipv4" : "ipv6");
  return !hostname.includes(".") || hostname.endsWith(".localhost");
}

/** The address ranges of RFC 1918 and RFC 4193, and loopback. */
const near = new BlockList();
near.addSubnet("127.0.0.0", 8);
near.addSubnet("10.0.0.0", 8);
near.addSubnet("172.16.0.0", 12);
near.addSubnet("192.168.0.0", 16);
near.addAddress("::1", "ipv6");
near.addSubnet("fc00::", 7, "ipv6");
