/**
 * Tells the host's developer in the console why the config did not load and what to do about it. This code loads after such a
 * failure. docs/troubleshooting.md lists the same causes by symptom.
 */
import { configRoute } from "@nitka/protocol/routes";
import { withSlash } from "./api-base.ts";
import type { ConfigOptions } from "./fetch-config.ts";

type Failure = Pick<ConfigOptions, "proxyUrl" | "projectId" | "fetch" | "signal"> & { readonly pageUrl: string };

export async function explainConfigFailure(failure: Failure): Promise<void> {
  const cause = await causeOf(failure);
  if (cause === undefined || failure.signal.aborted) return;
  // The specification gives the text of the warning. A page may have removed the console's methods.
  globalThis.console.info?.(`Nitka: ${cause} See docs/troubleshooting.md.`);
}

/** Requests the config again without credentials. Returns `undefined` if it loads now. */
async function causeOf({ proxyUrl, projectId, pageUrl, fetch, signal }: Failure): Promise<string | undefined> {
  const { origin } = new URL(pageUrl);
  const proxy = new URL(proxyUrl);
  if (origin.startsWith("https:") && proxy.protocol === "http:" && !isLoopback(proxy.hostname))
    return `The page is on https: and the server on http: (${proxyUrl}): browsers block such requests. Give the server a certificate.`;
  const url = new URL(configRoute(projectId), withSlash(proxyUrl)).href;
  // The transport also works without a page.
  const { document } = globalThis as { document?: Document };
  const blocked: string[] = [];
  const onViolation = ({ blockedURI }: SecurityPolicyViolationEvent) => blocked.push(blockedURI);
  document?.addEventListener("securitypolicyviolation", onViolation);
  try {
    const response = await fetch(url, { cache: "no-store", credentials: "omit", signal });
    return await causeInResponse(response, { proxyUrl, projectId, origin });
  } catch {
    // Our server allows other origins to load only its script (Cross-Origin-Resource-Policy). Another backend may allow
    // everything.
    const addresses = [url, new URL("widget/nitka.js", withSlash(proxyUrl)).href];
    const isReachable = await Promise.any(
      addresses.map((address) => fetch(address, { cache: "no-store", credentials: "omit", mode: "no-cors", signal })),
    ).then(
      () => true,
      () => false,
    );
    if (blocked.some((address) => url.startsWith(address)))
      return `The page's Content-Security-Policy forbids requests to ${proxy.origin}: add it to connect-src.`;
    return isReachable
      ? `${proxyUrl} does not allow this page: add "${origin}" to the project's allowedOrigins. A proxy that answers in the server's place looks the same.`
      : `${proxyUrl} cannot be reached: is the server running, and is this its address (proxyUrl)?`;
  } finally {
    document?.removeEventListener("securitypolicyviolation", onViolation);
  }
}

async function causeInResponse(
  response: Response,
  { proxyUrl, projectId, origin }: { readonly proxyUrl: string; readonly projectId: string; readonly origin: string },
): Promise<string | undefined> {
  const body: unknown = await response.json().catch(() => undefined);
  const { code, message } = (body as { error?: { code?: string; message?: string } } | undefined)?.error ?? {};
  if (code === "not_found") return `The server ${proxyUrl} has no project "${projectId}" (projectId).`;
  if (code !== undefined) return `The server ${proxyUrl} answers ${response.status} (${code}): ${message}`;
  if (response.ok && body !== undefined) return undefined;
  const isNamed = globalThis.document?.querySelector('script[src*="nitka.js"]') || !proxyUrl.startsWith(origin);
  return isNamed
    ? `${proxyUrl} does not answer as a chat server does (HTTP ${response.status}): check proxyUrl.`
    : `The widget asks the page's own server, which does not know it (HTTP ${response.status}): an optimiser may have moved or joined the script. Exclude nitka.js from it, or name the chat server in proxyUrl.`;
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" || hostname.startsWith("127.")
  );
}
