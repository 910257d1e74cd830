import type { ReadingResult } from "@nitka/knowledge";
import { describeKnowledge, openKnowledge } from "../knowledge/open-knowledge.ts";
import { embeddingsOf, sourcesOf } from "../knowledge/project-knowledge.ts";
import type { ProgramContext } from "../program-context.ts";
import { readSettings } from "../read-settings.ts";
import { jsonText, writeAll } from "../output.ts";
import { knowledgeProjects } from "./arguments.ts";

interface IngestArguments {
  readonly project?: string | undefined;
  readonly "dry-run"?: boolean | undefined;
  readonly full?: boolean | undefined;
  readonly prune?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** `nitka ingest`: reads the pages of all sources, and prints what has changed and which pages could not be read. */
export async function ingest(context: ProgramContext, args: IngestArguments): Promise<number> {
  const { stdout, stderr, env, clock, onSignal } = context;
  const settings = readSettings(env);
  const projects = knowledgeProjects(settings, args.project);
  stderr.write(`Reading into ${describeKnowledge(settings)}.\n`);
  const stop = new AbortController();
  onSignal(() => stop.abort());
  const { readSources } = await import("@nitka/knowledge");
  const store = await openKnowledge(settings);
  const results = new Map<string, ReadingResult>();
  try {
    for (const [projectId, fields] of projects) {
      const embeddings = embeddingsOf(fields, settings);
      const result = await readSources({
        store,
        projectId,
        sources: sourcesOf(fields),
        ...(embeddings ? { embeddings } : {}),
        full: args.full ?? false,
        prune: args.prune ?? false,
        dryRun: args["dry-run"] ?? false,
        signal: stop.signal,
        clock,
        ...(stderr.isTTY && !args.json
          ? { onProgress: ({ done, total }) => stderr.write(progressBar(projectId, done, total)) }
          : {}),
      });
      if (stderr.isTTY && !args.json) stderr.write("\r\u001B[K");
      if (result === "busy") {
        stderr.write(
          `The pages of ${projectId} are being read by another process. Try again when it has ended, or a minute after it was killed.\n`,
        );
        return 1;
      }
      results.set(projectId, result);
    }
    // Deletes the pages of projects that no longer have sources.
    if (!args["dry-run"] && args.project === undefined) await store.keepProjects([...results.keys()]);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    stderr.write("Reading was stopped. The pages that were read are kept.\n");
    return 1;
  } finally {
    await store.close();
  }
  await writeAll(stdout, args.json ? jsonText(joined(results)) : reportText(results));
  return [...results.values()].some(({ unread }) => unread.length > 0) ? 1 : 0;
}

function progressBar(projectId: string, done: number, total: number): string {
  const filled = total === 0 ? 0 : Math.round((done / total) * 30);
  return `\r\u001B[K${projectId} ${"█".repeat(filled)}${"░".repeat(30 - filled)} ${done} of ${total}`;
}

/** One report for several projects. Each row names its project. */
function joined(results: ReadonlyMap<string, ReadingResult>) {
  const sum = (field: "new" | "changed" | "unchanged" | "gone") =>
    [...results.values()].reduce((total, result) => total + result[field], 0);
  const rows = <T extends object>(of: (result: ReadingResult) => readonly T[]) =>
    [...results].flatMap(([project, result]) => of(result).map((row) => Object.assign({ project }, row)));
  return {
    new: sum("new"),
    changed: sum("changed"),
    unchanged: sum("unchanged"),
    gone: sum("gone"),
    failed: rows(({ failed }) => failed),
    skipped: rows(({ skipped }) => skipped),
    unread: rows(({ unread }) => unread),
    heldBack: rows(({ heldBack }) => heldBack),
  };
}

function reportText(results: ReadonlyMap<string, ReadingResult>): string {
  const { failed, skipped, unread, heldBack, ...counts } = joined(results);
  const lines = [
    ...failed.map(({ url, reason }) => `${url}: ${reason}`),
    ...unread.map(({ source, reason }) => `The source ${source} could not be read: ${reason}`),
    ...heldBack.map(
      ({ source, pages }) =>
        `${pages} pages of ${source} are missing. That is more than a fifth of its pages, so they are kept: --prune removes them.`,
    ),
    ...skipped
      .slice(0, 1)
      .map(({ url, reason }) => `${skipped.length} left out, such as ${url}: ${reason} --json lists them all.`),
    `${counts.new} new, ${counts.changed} changed, ${counts.unchanged} unchanged, ${counts.gone} gone, ${failed.length} failed`,
  ];
  return `${lines.join("\n")}\n`;
}
