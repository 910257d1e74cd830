import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { costOf } from "@nitka/server";
import type { Project } from "@nitka/server";
import { createAsker, judgeAnswer } from "../eval/answers.ts";
import type { Judged } from "../eval/answers.ts";
import { answerFigures, figuresTable, rankOf, searchFigures, USUAL_RANK } from "../eval/figures.ts";
import type { Figures } from "../eval/figures.ts";
import { parseQuestions } from "../eval/questions.ts";
import type { EvalQuestion } from "../eval/questions.ts";
import { withKnowledge } from "../knowledge/open-knowledge.ts";
import { silentLog } from "../log.ts";
import type { ProgramContext } from "../program-context.ts";
import { searchIn } from "../knowledge/project-knowledge.ts";
import { createProjects } from "../projects.ts";
import { readSettings } from "../read-settings.ts";
import type { Settings } from "../read-settings.ts";
import { jsonText, writeAll } from "../output.ts";
import { ArgumentsError, knowledgeProject } from "./arguments.ts";

interface EvalArguments {
  readonly project?: string | undefined;
  readonly model?: string | undefined;
  readonly min?: string | undefined;
  readonly json?: boolean | undefined;
}

/** The number of concurrent questions. */
const AT_ONCE = 4;

/** `nitka eval`: asks the questions of a file, and prints how well the search, or a model, answers them. */
export async function evaluate(context: ProgramContext, args: EvalArguments, rest: readonly string[]): Promise<number> {
  const { env, stdout } = context;
  const [path, ...others] = rest;
  const settings = readSettings(env);
  const min = args.min === undefined ? undefined : Number(args.min);
  const read = path === undefined ? undefined : readText(path);
  const parsed = read === undefined ? undefined : parseQuestions(read);
  const problems = [
    ...(path === undefined || others.length > 0 ? ["Expected one file: nitka eval <file>."] : []),
    ...(path !== undefined && read === undefined
      ? [`${path} cannot be read: expected a file with a question in each line.`]
      : []),
    ...(parsed && "problems" in parsed ? parsed.problems : []),
    ...(min !== undefined && !(min >= 0 && min <= 1)
      ? [`--min is ${JSON.stringify(args.min)}: expected a share from 0 to 1.`]
      : []),
  ];
  if (problems.length > 0 || !parsed || "problems" in parsed || path === undefined) {
    throw new ArgumentsError(problems.join("\n"));
  }
  const { questions } = parsed;
  const project = knowledgeProject(settings, args.project);
  const [projectId] = project;
  const begun = performance.now();
  return withKnowledge(settings, context, async (store) => {
    const search = await searchIn(store, project, settings);
    const ranks = await inTurn(questions, async (question) => {
      const within = question.rank ?? USUAL_RANK;
      if (!question.urls || question.refuse) return undefined;
      const passages = await search.search(question.question, {
        limit: Math.max(within, 10),
        signal: new AbortController().signal,
      });
      return { question: question.question, rank: rankOf(question, passages), within };
    });
    const ranked = ranks.filter((each) => each !== undefined);
    const asked =
      args.model === undefined ? undefined : await askAll(args.model, projectId, settings, questions, search);
    const figures: Figures = {
      questions: questions.length,
      ...searchFigures(ranked),
      ...(asked ? { ...answerFigures(asked.judged), ...asked.cost } : {}),
      seconds: Math.round((performance.now() - begun) / 100) / 10,
    };
    const last = lastFigures(settings, [resolve(path), projectId, args.model ?? ""]);
    const before = last.read();
    last.write(figures);
    const lines = questions.map(({ question }, index) => {
      const [found, answer] = [ranks[index], asked?.judged[index]];
      return Object.assign({ question }, found && { rank: found.rank ?? null }, answer);
    });
    const failed = lines.filter((line) => line.rank === null || ("passed" in line && !line.passed));
    await writeAll(
      stdout,
      args.json
        ? jsonText({ ...figures, lines, ...(before ? { before } : {}) })
        : `${failed.map(failureText).join("")}${figuresTable(figures, before)}\n`,
    );
    const reached = asked ? figures.passed : figures.recall;
    return min !== undefined && (reached ?? 0) < min ? 1 : 0;
  });
}

/** Asks a model of the project, without the tools of MCP servers, because they could change data. */
async function askAll(
  modelId: string,
  projectId: string,
  settings: Settings,
  questions: readonly EvalQuestion[],
  knowledge: NonNullable<Project["knowledge"]>,
) {
  const { mcpServers: _, model: __, models, ...fields } = settings.projects[projectId] ?? {};
  const known = models?.find(({ id }) => id === modelId) ?? { id: modelId };
  const { projects } = createProjects({ [projectId]: { ...fields, models: [known] } }, settings, silentLog);
  const project = projects[projectId];
  const [model] = project?.models ?? [];
  if (!project || !model) {
    throw new ArgumentsError(`--model is ${JSON.stringify(modelId)}: expected a model of the project.`);
  }
  const asker = await createAsker({ ...project, knowledge }, model);
  try {
    const judged = await inTurn(questions, async (question) => judgeAnswer(question, await asker.ask(question)));
    const tokens = await asker.tokens();
    const cost = costOf(tokens, project.prices?.[modelId]);
    const total = tokens.inputTokens + tokens.outputTokens;
    return { judged, cost: { tokens: total, ...(cost !== undefined && { cost }) } };
  } finally {
    await asker.close();
  }
}

/** The figures of the last run with the same questions, project and model. */
function lastFigures({ dataFolder }: Settings, key: readonly string[]) {
  const name = createHash("sha256").update(key.join("\n")).digest("hex").slice(0, 16);
  const path = join(dataFolder, "eval", `${name}.json`);
  return {
    read: (): Figures | undefined => {
      const text = readText(path);
      return text === undefined ? undefined : (JSON.parse(text) as Figures);
    },
    write: (figures: Figures) => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, JSON.stringify(figures));
    },
  };
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function failureText(line: { readonly question: string; readonly rank?: number | null } & Partial<Judged>): string {
  const wrong = [
    ...(line.rank === null ? ["its page was not found"] : []),
    ...(line.cited === false ? ["the page is not cited"] : []),
    ...(line.phrases === false ? ["a phrase is missing"] : []),
    ...(line.refused === false ? ["the answer should say that it does not know"] : []),
    ...(line.sourced === false ? ["a number in brackets has no source"] : []),
    ...(line.numbers === false ? ["a number is not in the source"] : []),
  ];
  return `✗ ${line.question}: ${wrong.join(", ") || "the answer is incomplete"}\n`;
}

/** Works on several items concurrently. Returns the results in the order of the items. */
async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const lane = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
}
