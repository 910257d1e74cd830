import { withKnowledge } from "../knowledge/open-knowledge.ts";
import { knowledgeState } from "../knowledge/knowledge-state.ts";
import type { KnowledgeState } from "../knowledge/knowledge-state.ts";
import type { ProgramContext } from "../program-context.ts";
import { readSettings } from "../read-settings.ts";
import type { Settings } from "../read-settings.ts";
import { jsonText, writeAll } from "../output.ts";
import { closeUnanswered, listUnanswered } from "./unanswered.ts";
import { ArgumentsError, knowledgeProject, knowledgeProjects } from "./arguments.ts";

interface KnowledgeArguments {
  readonly project?: string | undefined;
  readonly page?: string | undefined;
  readonly days?: string | undefined;
  readonly json?: boolean | undefined;
}

/** `nitka knowledge`: prints the state of the sites' pages, one page, or the unanswered questions. */
export async function knowledge(
  context: ProgramContext,
  args: KnowledgeArguments,
  rest: readonly string[],
): Promise<number> {
  const { env, stdout } = context;
  const [action, ...ids] = rest;
  if (action === "unanswered" && ids.length === 0) return listUnanswered(context, args);
  if (action === "close") return closeUnanswered(context, ids);
  if (action !== undefined) {
    throw new ArgumentsError(
      `nitka knowledge is followed by ${JSON.stringify(rest.join(" "))}: expected unanswered, close <id>… or nothing.`,
    );
  }
  const settings = readSettings(env);
  if (args.page !== undefined) return printPage(context, settings, args.page, args);
  const projects = knowledgeProjects(settings, args.project);
  return withKnowledge(settings, context, async (store) => {
    const states = await Promise.all(projects.map(async ([id, fields]) => knowledgeState(store, id, fields)));
    await writeAll(stdout, args.json ? jsonText(states) : states.map(stateText).join("\n"));
    return 0;
  });
}

function stateText({ projectId, sources, pages, passages, lastReading: last }: KnowledgeState): string {
  const lines = [
    `${projectId}: ${pages} pages, ${passages} passages`,
    ...sources.map((each) => `  ${each.source}: ${each.pages} pages, ${each.passages} passages`),
    ...(last
      ? [
          `  last read ${last.endedAt}: ${last.new} new, ${last.changed} changed, ${last.unchanged} unchanged, ` +
            `${last.gone} gone, ${last.failed.length} failed`,
          ...last.unread.map(({ source, reason }) => `  ${source} could not be read: ${reason}`),
          ...last.failed.map(({ url, reason }) => `  ${url}: ${reason}`),
          ...last.heldBack.map(
            ({ source, pages }) => `  ${pages} pages of ${source} are missing and are kept: --prune removes them`,
          ),
        ]
      : ["  not read completely yet: run nitka ingest"]),
  ];
  return `${lines.join("\n")}\n`;
}

async function printPage(
  context: ProgramContext,
  settings: Settings,
  url: string,
  { project: asked, json }: KnowledgeArguments,
): Promise<number> {
  const { stdout, stderr } = context;
  const [projectId] = knowledgeProject(settings, asked);
  return withKnowledge(settings, context, async (store) => {
    const page = await store.page(projectId, url);
    if (!page) {
      stderr.write(
        `The project ${projectId} has no page ${url}. nitka ingest --json lists the pages that were left out, and why.\n`,
      );
      return 1;
    }
    const { content } = page;
    const readAt = new Date(page.readAt).toISOString();
    const text = json
      ? JSON.stringify({ url: page.url, title: content.title, readAt, passages: content.passages }, undefined, 2)
      : [
          `${content.title}\n${page.url}\nread ${readAt}, ${content.passages.length} passages`,
          ...content.passages.map(({ headings, anchor, text: words }) =>
            [[...headings, ...(anchor === undefined ? [] : [`#${anchor}`])].join(" › "), words]
              .filter(Boolean)
              .join("\n"),
          ),
        ].join("\n\n");
    await writeAll(stdout, `${text}\n`);
    return 0;
  });
}
