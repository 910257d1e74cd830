import { BlockList, isIP } from "node:net";
import { WEBHOOK_TYPES } from "../../storage/webhooks.ts";
import type { WebhookType } from "../../storage/webhooks.ts";

/** An address that is told what happens in a project, as Standard Webhooks has it. */
export interface Webhook {
  /** `https:`; `http:` for loopback and private addresses, and for names without a dot. No other webhook of the project has it. */
  readonly url: string;
  /** Signs what is sent: `whsec_` and 24 to 64 bytes in base64. */
  readonly secret: string;
  /** What it is told. Everything by default. */
  readonly events?: readonly WebhookType[];
  /** Whether it is told texts too, beside ids: questions, answers, reasons. `false` by default. */
  readonly texts?: boolean;
}

const SECRET_PREFIX = "whsec_";
const SECRET_BYTES = { least: 24, most: 64 };

/** @throws TypeError naming the first field that cannot be used */
export function readyWebhooks(webhooks: readonly Webhook[] = [], project: string): readonly Webhook[] {
  const urls = new Set<string>();
  for (const [index, { url, secret, events }] of webhooks.entries()) {
    const name = `${project}.webhooks[${index}]`;
    if (!isWebhookUrl(url)) throw new TypeError(`${name}.url is ${JSON.stringify(url)}: expected ${WEBHOOK_URL}.`);
    if (urls.has(url))
      throw new TypeError(`${name}.url is ${JSON.stringify(url)}, as that of another webhook: name it once.`);
    urls.add(url);
    if (!isWebhookSecret(secret)) throw new TypeError(`${name}.secret is not a secret: expected ${WEBHOOK_SECRET}.`);
    const unknown = events?.find((event) => !WEBHOOK_TYPES.includes(event));
    if (unknown !== undefined) {
      throw new TypeError(`${name}.events holds ${JSON.stringify(unknown)}: there are ${WEBHOOK_TYPES.join(", ")}.`);
    }
  }
  return webhooks;
}

/** What a webhook's secret is, for messages. */
export const WEBHOOK_SECRET = `${SECRET_PREFIX} and ${SECRET_BYTES.least} to ${SECRET_BYTES.most} bytes in base64`;

/** What a webhook's address is, for messages. */
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

/** What logs say of an address: its path may be as good as a key. */
export function hostOf(url: string): string {
  return new URL(url).host;
}

/** Whether a host can only be reached inside of a network: anybody between could read what is sent to another one. */
function isNear(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, "");
  const version = isIP(address);
  if (version > 0) return near.check(address, version === 4 ? "ipv4" : "ipv6");
  return !hostname.includes(".") || hostname.endsWith(".localhost");
}

/** RFC 1918, RFC 4193 and loopback. */
const near = new BlockList();
near.addSubnet("127.0.0.0", 8);
near.addSubnet("10.0.0.0", 8);
near.addSubnet("172.16.0.0", 12);
near.addSubnet("192.168.0.0", 16);
near.addAddress("::1", "ipv6");
near.addSubnet("fc00::", 7, "ipv6");
