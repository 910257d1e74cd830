import { configRoute } from "@nitka/protocol/routes";
import { excerpt } from "./excerpt.ts";
import type { SessionOptions } from "./session.ts";
import { reasonOf } from "./visitor.ts";

/** Why there is no backend at this address. What else is wrong with the config is a check's to say. */
export async function reachProblem({ proxyUrl, projectId }: SessionOptions): Promise<string | undefined> {
  const url = new URL(configRoute(projectId), proxyUrl);
  try {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(30_000) });
    const text = await response.text();
    if (/^\s*</.test(text)) {
      return `${url.href} responds with a page in place of JSON (${response.status}: ${excerpt(text).slice(0, 80)}): is this the address of the backend itself?`;
    }
    return undefined;
  } catch (error) {
    return `${url.href} cannot be reached: ${reasonOf(error)}.`;
  }
}
