import { tokensOf } from "./usage-report.ts";
import type { Sum, UsageReport } from "./usage-report.ts";

/** The report as a table of text, with the total in the last row. */
export function usageTable({ from, to, by, projectId, rows, others, total }: UsageReport): string {
  const period = `${from} to ${to} (UTC)`;
  const where = projectId === undefined ? "" : ` in the project ${projectId}`;
  if (rows.length === 0) return `No tokens were used${where} from ${period}.\n`;
  // A visitor's id is unique only within a project.
  const withProjects = by === "visitor" && projectId === undefined;
  const row = (key: string, project: string, sum: Sum) => [key, ...(withProjects ? [project] : []), ...figuresOf(sum)];
  const names = withProjects ? 2 : 1;
  const lines = [
    [by, ...(withProjects ? ["project"] : []), "calls", "estimated", "input", "cached", "output", "tokens"],
    ...rows.map((sum) => row(sum.key === null ? "(erased)" : printable(sum.key), sum.projectId ?? "", sum)),
    ...(others ? [row(`(${others.rows} more)`, "", others)] : []),
    row("total", "", total),
  ];
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const table = lines.map((line) =>
    line.map((cell, column) =>
      column < names ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    ),
  );
  return `Tokens${where} from ${period}\n\n${table.map((line) => line.join("  ")).join("\n")}\n`;
}

const thousands = new Intl.NumberFormat("en-US");

function figuresOf(sum: Sum): readonly string[] {
  const { calls, estimatedCalls, inputTokens, cachedInputTokens, outputTokens } = sum;
  return [calls, estimatedCalls, inputTokens, cachedInputTokens, outputTokens, tokensOf(sum)].map((count) =>
    thousands.format(count),
  );
}

/** Hosts choose the ids of their visitors. Characters that would control the terminal or break the line are replaced. */
function printable(key: string): string {
  return key.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "?");
}
