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
import { NotCheckable, Nonconformance } from "./nonconformance.ts";
import { Session } from "./session.ts";
import type { SessionOptions } from "./session.ts";

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

/** What became of one check. `advised` differs from the protocol where the widget can do without. */
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
  /** What could not be cleaned up. */
  readonly leftovers: readonly string[];
}

/**
 * Holds a backend to the protocol, by requests alone.
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
