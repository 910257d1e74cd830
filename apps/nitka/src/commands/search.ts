import type { Passage } from "@nitka/server";
import { withKnowledge } from "../knowledge/open-knowledge.ts";
import { searchIn } from "../knowledge/project-knowledge.ts";
import type { ProgramContext } from "../program-context.ts";
import { readSettings } from "../read-settings.ts";
import { jsonText, writeAll } from "../output.ts";
import { ArgumentsError, knowledgeProject } from "./arguments.ts";

interface SearchArguments {
  readonly project?: string | undefined;
  readonly limit?: string | undefined;
  readonly json?: boolean | undefined;
}

/** `nitka search`: prints the passages that a model would get for a question. */
export async function search(
  context: ProgramContext,
  args: SearchArguments,
  words: readonly string[],
): Promise<number> {
  const { env, stdout } = context;
  const settings = readSettings(env);
  const { limit = "5" } = args;
  const question = words.join(" ").trim();
  if (question === "") throw new ArgumentsError('The question is missing: nitka search "<question>".');
  if (!/^[1-9]\d?$/.test(limit)) {
    throw new ArgumentsError(`--limit is ${JSON.stringify(limit)}: expected a whole number from 1 to 99.`);
  }
  const project = knowledgeProject(settings, args.project);
  return withKnowledge(settings, context, async (store) => {
    const knowledge = await searchIn(store, project, settings);
    const passages = await knowledge.search(question, {
      limit: Number(limit),
      signal: new AbortController().signal,
    });
    await writeAll(stdout, args.json ? jsonText(passages) : passagesText(passages));
    return 0;
  });
}

function passagesText(passages: readonly Passage[]): string {
  if (passages.length === 0) return "Nothing on the pages answers this well enough.\n";
  const blocks = passages.map(
    ({ title, heading, url, text, score }, index) =>
      `${index + 1}. ${heading === undefined ? title : `${title} › ${heading}`} (${score.toFixed(2)})\n${url}\n\n${text}\n`,
  );
  return blocks.join("\n");
}
