import { randomUUID } from "node:crypto";
import { knownProjects, unknownProject } from "../known-projects.ts";
import { openStorageBeside } from "../open-storage.ts";
import { readSettings } from "../read-settings.ts";
import type { ProgramContext } from "../program-context.ts";
import { writeAll } from "../write-all.ts";
import { parseUsageArguments } from "./usage-arguments.ts";
import type { UsageArguments } from "./usage-arguments.ts";
import { usageReport } from "./usage-report.ts";
import { usageTable } from "./usage-table.ts";

/** `nitka usage`: prints how many tokens were used, as a table or as JSON. */
export async function usage({ env, stdout, stderr, clock }: ProgramContext, args: UsageArguments): Promise<number> {
  const parsed = parseUsageArguments(args, clock());
  if ("problems" in parsed) {
    stderr.write(`${parsed.problems.join("\n")}\n`);
    return 2;
  }
  const { query } = parsed;
  const settings = readSettings(env);
  const storage = await openStorageBeside(settings, randomUUID());
  try {
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
  } finally {
    await storage.close();
  }
}
