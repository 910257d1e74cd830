import { knownProjects, unknownProject } from "../known-projects.ts";
import { readSettings } from "../read-settings.ts";
import type { ProgramContext } from "../program-context.ts";
import { writeAll } from "../write-all.ts";
import { withStorageBeside } from "./storage-beside.ts";
import { parseUsageArguments } from "./usage-arguments.ts";
import type { UsageArguments } from "./usage-arguments.ts";
import { usageReport, tokensOf } from "./usage-report.ts";
import type { Sum, UsageReport } from "./usage-report.ts";

/** `nitka usage`: prints how many tokens were used, as a table or as JSON. */
export async function usage({ env, stdout, stderr, clock }: ProgramContext, args: UsageArguments): Promise<number> {
  const parsed = parseUsageArguments(args, clock());
  if ("problems" in parsed) {
    stderr.write(`${parsed.problems.join("\n")}\n`);
    return 2;
  }
  const { query } = parsed;
  const settings = readSettings(env);
  return withStorageBeside({ stderr }, settings, async (storage) => {
    if (query.projectId !== undefined) {
      const projects = await knownProjects(settings, storage);
      if (!projects.has(query.projectId)) {
        stderr.write(`${unknownProject(query.projectId, projects)}\n`);
        return 2;
      }
    }
    const report = usageReport(query, await storage.usage.report(query), query.top);
    await writeAll(stdout, args.json ? `${JSON.stringify(report, undefined, 2)}\n` : usageTable(report));
    return 0;
  });
}

/** The report as a table of text, with the total in the last row. */
function usageTable({ from, to, by, projectId, rows, others, total }: UsageReport): string {
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
