/**
 * What a host's developer reads in the console when the config did not come: the probable cause, and what to do. It loads
 * after such a failure. docs/troubleshooting.md has the same causes, by what is seen.
 */
import { configRoute } from "@nitka/protocol/routes";
import { withSlash } from "./api-base.ts";
import type { ConfigOptions } from "./fetch-config.ts";

type Failure = Pick<ConfigOptions, "proxyUrl" | "projectId" | "fetch" | "signal"> & { readonly pageUrl: string };

/** The probable cause, and the section of docs/troubleshooting.md that has it. */
type Cause = readonly [sentence: string, section: keyof typeof sections];

const sections = {
  absent: "the-chat-or-its-button-does-not-appear",
  cors: "blocked-by-cors-policy",
  empty: "the-chat-looks-empty-without-title-files-or-suggestions",
  errors: "errors-of-the-api",
};

export async function explainConfigFailure(failure: Failure): Promise<void> {
  const cause = await causeOf(failure);
  if (cause === undefined || failure.signal.aborted) return;
  const [sentence, section] = cause;
  // The warning is the specification's. A page may have removed the console's methods.
  globalThis.console.info?.(`Nitka: ${sentence} See docs/troubleshooting.md#${sections[section]}`);
}

/** Asks again, without credentials. `undefined` where the config comes now. */
async function causeOf({ proxyUrl, projectId, pageUrl, fetch, signal }: Failure): Promise<Cause | undefined> {
  const { origin } = new URL(pageUrl);
  const proxy = new URL(proxyUrl);
  if (origin.startsWith("https:") && proxy.protocol === "http:" && !isLoopback(proxy.hostname))
    return [
      `The page is on https: and the server on http: (${proxyUrl}): browsers block such requests. Give the server a certificate.`,
      "absent",
    ];
  const url = new URL(configRoute(projectId), withSlash(proxyUrl)).href;
  // The transport also works where there is no page.
  const { document } = globalThis as { document?: Document };
  const blocked: string[] = [];
  const onViolation = ({ blockedURI }: SecurityPolicyViolationEvent) => blocked.push(blockedURI);
  document?.addEventListener("securitypolicyviolation", onViolation);
  try {
    const response = await fetch(url, { cache: "no-store", credentials: "omit", signal });
    return await causeInResponse(response, { proxyUrl, projectId, origin });
  } catch {
    // Our server lets other origins have its script alone (Cross-Origin-Resource-Policy), another backend perhaps everything.
    const addresses = [url, new URL("widget/nitka.js", withSlash(proxyUrl)).href];
    const isReachable = await Promise.any(
      addresses.map((address) => fetch(address, { cache: "no-store", credentials: "omit", mode: "no-cors", signal })),
    ).then(
      () => true,
      () => false,
    );
    // The event of a request that a policy forbids comes after the request has failed.
    await new Promise((resolve) => setTimeout(resolve));
    if (blocked.some((address) => url.startsWith(address)))
      return [
        `The page's Content-Security-Policy forbids requests to ${proxy.origin}: add it to connect-src.`,
        "absent",
      ];
    return isReachable
      ? [
          `${proxyUrl} does not allow this page: add "${origin}" to the project's allowedOrigins. A proxy that answers in the server's place looks the same.`,
          "cors",
        ]
      : [`${proxyUrl} cannot be reached: is the server running, and is this its address (proxyUrl)?`, "empty"];
  } finally {
    document?.removeEventListener("securitypolicyviolation", onViolation);
  }
}

async function causeInResponse(
  response: Response,
  { proxyUrl, projectId, origin }: { readonly proxyUrl: string; readonly projectId: string; readonly origin: string },
): Promise<Cause | undefined> {
  const body: unknown = await response.json().catch(() => undefined);
  const { code, message } = (body as { error?: { code?: string; message?: string } } | undefined)?.error ?? {};
  if (code === "not_found")
    return [`The server ${proxyUrl} has no project "${projectId}": check projectId. It says: ${message}`, "empty"];
  if (code !== undefined) return [`The server ${proxyUrl} answers ${response.status} (${code}): ${message}`, "errors"];
  if (response.ok && body !== undefined) return undefined;
  const isNamed = globalThis.document?.querySelector('script[src*="nitka.js"]') || !proxyUrl.startsWith(origin);
  return [
    isNamed
      ? `${proxyUrl} does not answer as a chat server does (HTTP ${response.status}): check proxyUrl.`
      : `The widget asks the page's own server, which does not know it (HTTP ${response.status}): name the chat server in proxyUrl. It asks there too where an optimiser has moved or joined the script: exclude nitka.js from it.`,
    "empty",
  ];
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" || hostname.startsWith("127.")
  );
}
