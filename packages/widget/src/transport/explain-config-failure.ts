/**
 * Tells the host's developer in the console why the config did not load and what to do about it. This code loads after such a
 * failure. docs/troubleshooting.md lists the same causes by symptom.
 */
import { configRoute } from "@nitka/protocol/routes";
import { CONFIG_RETRIES_MS } from "../timings.ts";
import { withSlash } from "./api-base.ts";
import type { ConfigOptions } from "./fetch-config.ts";

type Failure = Pick<ConfigOptions, "proxyUrl" | "projectId" | "fetch" | "signal"> & { readonly pageUrl: string };

interface Cause {
  readonly sentence: string;
  /** The section of docs/troubleshooting.md. */
  readonly section: keyof typeof sections;
  /** Whether the same request may succeed a little later. */
  readonly mayPass?: boolean;
}

const sections = {
  absent: "the-chat-or-its-button-does-not-appear",
  cors: "blocked-by-cors-policy",
  empty: "the-chat-looks-empty-without-title-files-or-suggestions",
  errors: "errors-of-the-api",
};

/** @param begin called if the config loads after all: without a config the widget's requests go to the page's own origin */
export async function explainConfigFailure(failure: Failure, begin: () => void): Promise<void> {
  const { signal } = failure;
  const cause = await causeOf(failure);
  if (signal.aborted) return;
  if (!cause) return begin();
  const { sentence, section, mayPass } = cause;
  // The specification gives the text of the warning. A page may have removed the console's methods.
  globalThis.console.info?.(`Nitka: ${sentence} See docs/troubleshooting.md#${sections[section]}`);
  for (const waitMs of mayPass ? CONFIG_RETRIES_MS : []) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    if (signal.aborted) return;
    if (await comesNow(failure)) return begin();
  }
}

/** Requests the config again without credentials. Returns `undefined` if it loads now. */
async function causeOf(failure: Failure): Promise<Cause | undefined> {
  const { proxyUrl, pageUrl, fetch, signal } = failure;
  const { origin } = new URL(pageUrl);
  const proxy = new URL(proxyUrl);
  if (origin.startsWith("https:") && proxy.protocol === "http:" && !isLoopback(proxy.hostname))
    return {
      sentence: `The page is on https: and the server on http: (${proxyUrl}): browsers block such requests. Give the server a certificate.`,
      section: "absent",
    };
  const url = urlOf(failure);
  // The transport also works without a page.
  const { document } = globalThis as { document?: Document };
  const blocked: string[] = [];
  const onViolation = ({ blockedURI }: SecurityPolicyViolationEvent) => blocked.push(blockedURI);
  document?.addEventListener("securitypolicyviolation", onViolation);
  try {
    const response = await fetch(url, { cache: "no-store", credentials: "omit", signal });
    return await causeInResponse(response, origin, failure);
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
    // The event of a request that a policy forbids comes after the request has failed.
    await new Promise((resolve) => setTimeout(resolve));
    if (blocked.some((address) => url.startsWith(address)))
      return {
        sentence: `The page's Content-Security-Policy forbids requests to ${proxy.origin}: add it to connect-src.`,
        section: "absent",
      };
    return isReachable
      ? {
          sentence: `${proxyUrl} does not allow this page: add "${origin}" to the project's allowedOrigins. A proxy that answers in the server's place looks the same.`,
          section: "cors",
          mayPass: true,
        }
      : {
          sentence: `${proxyUrl} cannot be reached: is the server running, and is this its address (proxyUrl)?`,
          section: "empty",
          mayPass: true,
        };
  } finally {
    document?.removeEventListener("securitypolicyviolation", onViolation);
  }
}

async function causeInResponse(response: Response, origin: string, failure: Failure): Promise<Cause | undefined> {
  const { proxyUrl, projectId } = failure;
  const { status } = response;
  const body: unknown = await response.json().catch(() => undefined);
  const { code, message } = (body as { error?: { code?: string; message?: string } } | undefined)?.error ?? {};
  if (code === "not_found")
    return {
      sentence: `The server ${proxyUrl} has no project "${projectId}": check projectId. It says: ${message}`,
      section: "empty",
    };
  const mayPass = status === 429 || status >= 500;
  if (code !== undefined)
    return { sentence: `The server ${proxyUrl} answers ${status} (${code}): ${message}`, section: "errors", mayPass };
  if (response.ok && body !== undefined)
    return (await comesNow(failure))
      ? undefined
      : {
          sentence: `${proxyUrl} allows this page only without credentials: it needs Access-Control-Allow-Origin: ${origin} and Access-Control-Allow-Credentials: true.`,
          section: "cors",
        };
  const isNamed = globalThis.document?.querySelector('script[src*="nitka.js"]') || !proxyUrl.startsWith(origin);
  return {
    sentence: isNamed
      ? `${proxyUrl} does not respond like a chat server (HTTP ${status}): check proxyUrl.`
      : `The page's own server is not a chat server (HTTP ${status}): set proxyUrl. The widget also asks the page's server if an optimiser has moved or joined the script: exclude nitka.js from it.`,
    section: "empty",
    mayPass,
  };
}

/**
 * Requests the config with credentials, as the widget does when it starts. A slow response does not count: the widget would
 * give up on it again.
 */
async function comesNow(failure: Failure): Promise<boolean> {
  const signal = AbortSignal.any([failure.signal, AbortSignal.timeout(CONFIG_RETRIES_MS[0])]);
  try {
    const response = await failure.fetch(urlOf(failure), { cache: "no-store", credentials: "include", signal });
    const body: unknown = response.ok && (await response.json());
    return Object(body) === body && !Array.isArray(body);
  } catch {
    return false;
  }
}

function urlOf({ projectId, proxyUrl }: Failure): string {
  return new URL(configRoute(projectId), withSlash(proxyUrl)).href;
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" || hostname.startsWith("127.")
  );
}
