import { createKnowledge } from "@nitka/knowledge";
import type { Passage } from "@nitka/knowledge";
import { describeKnowledge, hasKnowledge, openKnowledge } from "../open-knowledge.ts";
import { embeddingsOf } from "../project-knowledge.ts";
import type { ProgramContext } from "../program-context.ts";
import { readSettings } from "../read-settings.ts";
import { writeAll } from "../write-all.ts";
import { knowledgeProject } from "./knowledge-projects.ts";

interface SearchArguments {
  readonly project?: string | undefined;
  readonly limit?: string | undefined;
  readonly json?: boolean | undefined;
}

/** `nitka search`: prints the passages that a model would get for a question. */
export async function search(
  { env, stdout, stderr }: ProgramContext,
  args: SearchArguments,
  words: readonly string[],
): Promise<number> {
  const settings = readSettings(env);
  const project = knowledgeProject(settings, args.project);
  const limit = args.limit ?? "5";
  const question = words.join(" ").trim();
  const problem =
    question === ""
      ? 'The question is missing: nitka search "<question>".'
      : !/^[1-9]\d?$/.test(limit)
        ? `--limit is ${JSON.stringify(limit)}: expected a whole number from 1 to 99.`
        : "problem" in project
          ? project.problem
          : !hasKnowledge(settings)
            ? `Nothing has been read yet into ${describeKnowledge(settings)}: run nitka ingest.`
            : undefined;
  if (problem !== undefined || "problem" in project) {
    stderr.write(`${problem}\n`);
    return 2;
  }
  stderr.write(`Searching ${describeKnowledge(settings)}.\n`);
  const [projectId, fields] = project.found;
  const store = await openKnowledge(settings);
  try {
    const embeddings = embeddingsOf(fields, settings);
    const knowledge = createKnowledge({ store, projectId, ...(embeddings ? { embeddings } : {}) });
    const passages = await knowledge.search(question, {
      limit: Number(limit),
      signal: new AbortController().signal,
    });
    await writeAll(stdout, args.json ? `${JSON.stringify(passages, undefined, 2)}\n` : passagesText(passages));
    return 0;
  } finally {
    await store.close();
  }
}

function passagesText(passages: readonly Passage[]): string {
  if (passages.length === 0) return "Nothing on the pages answers this well enough.\n";
  const blocks = passages.map(
    ({ title, heading, url, text, score }, index) =>
      `${index + 1}. ${heading === undefined ? title : `${title} › ${heading}`} (${score.toFixed(2)})\n${url}\n\n${text}\n`,
  );
  return blocks.join("\n");
}
