import { configRoute } from "@nitka/protocol/routes";
import { outcomeText, summaryText } from "../conformance/conformance-text.ts";
import { runConformance } from "../conformance/run-conformance.ts";
import { excerpt } from "../conformance/excerpt.ts";
import { reasonOf } from "../conformance/visitor.ts";
import type { ProgramContext } from "../program-context.ts";
import { writeAll } from "../write-all.ts";

interface ConformanceArguments {
  readonly project?: string | undefined;
  readonly token?: string | undefined;
  readonly json?: boolean | undefined;
}

/**
 * `nitka conformance <base-url>`: holds any backend to the protocol, and prints what holds and what does not.
 *
 * @returns 0 when nothing fails, 1 when something does or the backend cannot be reached, 2 for invalid arguments
 */
export async function conformance(
  { stdout, stderr }: ProgramContext,
  { project: projectId = "default", token, json }: ConformanceArguments,
  addresses: readonly string[],
): Promise<number> {
  const proxyUrl = proxyUrlOf(addresses);
  if (typeof proxyUrl === "string") {
    stderr.write(`${proxyUrl}\n`);
    return 2;
  }
  const problem = await reachProblem(new URL(configRoute(projectId), proxyUrl));
  if (problem !== undefined) {
    stderr.write(`${problem}\n`);
    return 1;
  }
  let section = "";
  if (!json) stdout.write(`${proxyUrl.href}, project ${projectId}\n`);
  const report = await runConformance({ proxyUrl, projectId, token }, (outcome) => {
    if (json) return;
    stdout.write(outcome.section === section ? outcomeText(outcome) : `\n${outcome.section}\n${outcomeText(outcome)}`);
    section = outcome.section;
  });
  await writeAll(stdout, json ? `${JSON.stringify(report, undefined, 2)}\n` : summaryText(report));
  return report.outcomes.some(({ status }) => status === "fails") ? 1 : 0;
}

/** The address that the widget would have as its `proxyUrl`; a sentence when there is none. */
function proxyUrlOf(addresses: readonly string[]): URL | string {
  const [given, ...more] = addresses;
  if (given === undefined) return "The address of a backend is missing: nitka conformance https://chat.example/";
  if (more.length > 0) return `Only one address can be checked, not ${addresses.length}: ${addresses.join(" ")}`;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    return `${JSON.stringify(given)} is no address of a backend: expected http:// or https://, such as https://chat.example/`;
  }
  url.search = url.hash = "";
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}

/** Why there is no backend at this address. What else is wrong with the config is a check's to say. */
async function reachProblem(url: URL): Promise<string | undefined> {
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
