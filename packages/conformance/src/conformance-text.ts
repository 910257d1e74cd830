import type { ConformanceReport, Outcome } from "./run-conformance.ts";

const marks = { holds: "✓", fails: "✗", advised: "!", skipped: "–" } as const;

/** One outcome for people: a line, and what was asked where the backend differs. */
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

/** The last lines: what is left behind, and the counts. */
export function summaryText({ outcomes, leftovers }: ConformanceReport): string {
  const count = (status: Outcome["status"]) => outcomes.filter((outcome) => outcome.status === status).length;
  const fails = count("fails");
  const counts = `${count("holds")} hold, ${fails} ${fails === 1 ? "fails" : "fail"}, ${count("advised")} advised, ${count("skipped")} skipped`;
  return `${leftovers.map((problem) => `${problem}\n`).join("")}\n${counts}\n`;
}
