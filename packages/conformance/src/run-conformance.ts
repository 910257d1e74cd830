import { feedbackChecks, visitorChecks } from "./addition-checks.ts";
import { attachmentChecks } from "./attachment-checks.ts";
import { configChecks } from "./config-checks.ts";
import { historyChecks } from "./history-checks.ts";
import { originChecks } from "./origin-checks.ts";
import { pageChecks } from "./page-checks.ts";
import { runChecks } from "./run-checks.ts";
import { streamChecks } from "./stream-checks.ts";
import { threadChecks } from "./thread-checks.ts";
import type { Check, Section } from "./check.ts";
import { NotCheckable, Nonconformance, excerpt } from "./nonconformance.ts";
import { Session } from "./session.ts";
import type { SessionOptions } from "./session.ts";
import { configRoute } from "@nitka/protocol/routes";
import { reasonOf } from "./visitor.ts";

export const sections: readonly Section[] = [
  configChecks,
  threadChecks,
  streamChecks,
  historyChecks,
  originChecks,
  runChecks,
  attachmentChecks,
  feedbackChecks,
  pageChecks,
  visitorChecks,
];

/** The result of one check. `advised`: the backend differs from the protocol, but the widget works without it. */
export type Outcome = { readonly section: string; readonly title: string; readonly rule: string } & (
  | { readonly status: "holds" }
  | { readonly status: "skipped"; readonly reason: string }
  | {
      readonly status: "fails" | "advised";
      readonly request: string;
      readonly expected: string;
      readonly got: string;
    }
);

export interface ConformanceReport {
  readonly outcomes: readonly Outcome[];
  /** The problems of the clean-up. */
  readonly leftovers: readonly string[];
}

/**
 * Checks a backend against the protocol, only by requests.
 *
 * @param onOutcome is called after each check
 */
export async function runConformance(
  options: SessionOptions,
  onOutcome: (outcome: Outcome) => void = () => undefined,
  chosen: readonly Section[] = sections,
): Promise<ConformanceReport> {
  const session = new Session(options);
  const outcomes: Outcome[] = [];
  for (const { name, checks } of chosen) {
    for (const check of checks) {
      const outcome = { section: name, title: check.title, rule: check.rule, ...(await outcomeOf(check, session)) };
      outcomes.push(outcome);
      onOutcome(outcome);
    }
  }
  return { outcomes, leftovers: await session.cleanUp() };
}

async function outcomeOf({ feature, level, run }: Check, session: Session) {
  if (feature !== undefined && session.config.features?.[feature] !== true) {
    return { status: "skipped", reason: `the config does not announce features.${feature}` } as const;
  }
  try {
    await run(session);
    return { status: "holds" } as const;
  } catch (error) {
    if (error instanceof NotCheckable) return { status: "skipped", reason: error.message } as const;
    if (!(error instanceof Nonconformance)) throw error;
    const { request, expected, got } = error;
    const isAdvice = (typeof level === "function" ? level(session) : level) === "advice";
    return { status: isAdvice ? "advised" : "fails", request, expected, got } as const;
  }
}

const marks = { holds: "✓", fails: "✗", advised: "!", skipped: "–" } as const;

/** One outcome for people: a line, and the request where the backend differs. */
export function outcomeText(outcome: Outcome): string {
  const line = `  ${marks[outcome.status]} ${outcome.title}`;
  if (outcome.status === "holds") return `${line}\n`;
  if (outcome.status === "skipped") return `${line}\n      skipped: ${outcome.reason}\n`;
  const { request, rule, expected, got } = outcome;
  const rows = { request, protocol: rule, expected, got };
  return `${line}\n${Object.entries(rows)
    .map(([name, text]) => `      ${name.padEnd(9)} ${text}\n`)
    .join("")}`;
}

/** The last lines: what could not be cleaned up, and the counts. */
export function summaryText({ outcomes, leftovers }: ConformanceReport): string {
  const count = (status: Outcome["status"]) => outcomes.filter((outcome) => outcome.status === status).length;
  const fails = count("fails");
  const counts = `${count("holds")} hold, ${fails} ${fails === 1 ? "fails" : "fail"}, ${count("advised")} advised, ${count("skipped")} skipped`;
  return `${leftovers.map((problem) => `${problem}\n`).join("")}\n${counts}\n`;
}

/** The reason why there is no backend at this address. The checks find other problems of the config. */
export async function reachProblem({ proxyUrl, projectId }: SessionOptions): Promise<string | undefined> {
  const url = new URL(configRoute(projectId), proxyUrl);
  try {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(30_000) });
    const text = await response.text();
    if (/^\s*</.test(text)) {
      return `${url.href} returns a page instead of JSON (${response.status}: ${excerpt(text).slice(0, 80)}): is this the address of the backend itself?`;
    }
    return undefined;
  } catch (error) {
    return `${url.href} cannot be reached: ${reasonOf(error)}.`;
  }
}
