import { outcomeText, reachProblem, runConformance, summaryText } from "@nitka/conformance";
import type { ProgramContext } from "../program-context.ts";
import { jsonText, writeAll } from "../output.ts";
import { ArgumentsError } from "./arguments.ts";

interface ConformanceArguments {
  readonly project?: string | undefined;
  readonly token?: string | undefined;
  readonly page?: string | undefined;
  readonly json?: boolean | undefined;
}

/**
 * `nitka conformance <base-url>`: checks any backend against the protocol, and prints which checks hold and which fail.
 *
 * @returns 0 when nothing fails, 1 when something does or the backend cannot be reached, 2 for invalid arguments
 */
export async function conformance(
  { stdout, stderr }: ProgramContext,
  { project: projectId = "default", token, page: pageAddress, json }: ConformanceArguments,
  addresses: readonly string[],
): Promise<number> {
  const page = pageAddress === undefined || !isAddress(pageAddress) ? undefined : new URL(pageAddress).origin;
  if (pageAddress !== undefined && page === undefined) {
    throw new ArgumentsError(
      `--page ${JSON.stringify(pageAddress)}: expected the address of a page, such as https://shop.example/`,
    );
  }
  const proxyUrl = proxyUrlOf(addresses);
  const problem = await reachProblem({ proxyUrl, projectId });
  if (problem !== undefined) {
    stderr.write(`${problem}\n`);
    return 1;
  }
  let section = "";
  if (!json) stdout.write(`${proxyUrl.href}, project ${projectId}\n`);
  const report = await runConformance({ proxyUrl, projectId, token, page }, (outcome) => {
    if (json) return;
    stdout.write(outcome.section === section ? outcomeText(outcome) : `\n${outcome.section}\n${outcomeText(outcome)}`);
    section = outcome.section;
  });
  await writeAll(stdout, json ? jsonText(report) : summaryText(report));
  return report.outcomes.some(({ status }) => status === "fails") ? 1 : 0;
}

/** The address that the widget would get as its `proxyUrl`. */
function proxyUrlOf(addresses: readonly string[]): URL {
  const [given, ...more] = addresses;
  if (given === undefined) {
    throw new ArgumentsError("The address of a backend is missing: nitka conformance https://chat.example/");
  }
  if (more.length > 0) {
    throw new ArgumentsError(`Only one address can be checked, not ${addresses.length}: ${addresses.join(" ")}`);
  }
  if (!isAddress(given)) {
    throw new ArgumentsError(
      `${JSON.stringify(given)} is not the address of a backend: expected http:// or https://, such as https://chat.example/`,
    );
  }
  const url = new URL(given);
  url.search = url.hash = "";
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
