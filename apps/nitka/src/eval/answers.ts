import { partsOf, textOf } from "@nitka/protocol/message";
import type { Message } from "@nitka/protocol";
import { createChatServer } from "@nitka/server";
import type { Model, Project, Tokens } from "@nitka/server";
import { openSqliteStorage } from "@nitka/server/sqlite";
import { pageOf } from "./questions.ts";
import type { EvalQuestion } from "./questions.ts";

/** An answer as the model wrote it. */
export interface EvalAnswer {
  /** Whether the model cited only passages that it was given. Visitors do not see other numbers. */
  readonly isSourced: boolean;
  /** The text that a visitor would see; "" when the answer failed. */
  readonly text: string;
  readonly passages: readonly { readonly n: number; readonly url: string; readonly text: string }[];
  readonly sources: readonly string[];
  readonly failure?: string;
}

/** The checks that an answer passes. Checks that the question does not require are absent. */
export interface Judged {
  readonly cited?: boolean;
  readonly phrases?: boolean;
  readonly refused?: boolean;
  readonly sourced: boolean;
  readonly numbers: boolean;
  readonly passed: boolean;
}

/** Asks one model of a project, in a separate server with in-memory storage. */
export async function createAsker(project: Project, model: Model) {
  const storage = await openSqliteStorage({ path: ":memory:" });
  const unsourced = new Set<string>();
  const heard: Model = {
    ...model,
    run: (request) => {
      const question = request.history.at(-1);
      return model.run({ ...request, onUnsourced: () => unsourced.add(question ? textOf(question) : "") });
    },
  };
  const { model: _, ...rest } = project;
  const unlimited = {
    messagesPerMinute: null,
    addressMessagesPerMinute: null,
    threadsPerMinute: null,
    requestsPerMinute: null,
    runsAtOnce: null,
    addressRunsAtOnce: null,
  };
  const chat = createChatServer({
    storage,
    log: false,
    secret: "a server that nobody else can reach",
    projects: {
      default: {
        ...rest,
        models: [heard],
        followUps: false,
        toolViews: { search_site: "all" },
        limits: { ...project.limits, ...unlimited },
      },
    },
  });
  const call = async (path: string, body?: unknown) =>
    chat.fetch(
      new Request(`http://eval.invalid/api/debug/threads${path}`, {
        headers: { "content-type": "application/json", cookie },
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      }),
    );
  let cookie = "";
  const first = await call("", {});
  cookie = first.headers.get("set-cookie")?.split(";", 1)[0] ?? "";

  return {
    ask: async ({ question }: EvalQuestion): Promise<EvalAnswer> => {
      const { threadId } = (await (await call("", {})).json()) as { readonly threadId: string };
      const message = { id: crypto.randomUUID(), role: "user", content: question };
      await (await call(`/${threadId}/run/stream`, { messages: [message] })).text();
      const messages = (await (await call(`/${threadId}/messages`)).json()) as readonly Message[];
      return answerOf(messages.at(-1), !unsourced.has(question));
    },
    tokens: async () => {
      const sums = await storage.usage.report({ by: "project", from: "0000-01-01", to: "9999-12-31" });
      const total = (name: keyof Tokens) => sums.reduce((sum, each) => sum + each[name], 0);
      return {
        inputTokens: total("inputTokens"),
        cachedInputTokens: total("cachedInputTokens"),
        outputTokens: total("outputTokens"),
      };
    },
    close: async () => {
      await chat.close({ graceMs: 0 });
      await storage.close();
    },
  };
}

function answerOf(message: Message | undefined, isSourced: boolean): EvalAnswer {
  if (message?.role !== "assistant" || message.status?.type !== "complete") {
    return { isSourced, text: "", passages: [], sources: [], failure: message?.status?.type ?? "no answer" };
  }
  const parts = partsOf(message);
  return {
    isSourced,
    text: textOf(message),
    passages: parts.flatMap((part) =>
      part.type === "tool-call" && part.toolName === "search_site"
        ? ((part.result as { readonly passages?: EvalAnswer["passages"] } | undefined)?.passages ?? [])
        : [],
    ),
    sources: parts.flatMap((part) => (part.type === "source" && part.n !== undefined ? [part.url] : [])),
  };
}

/** Phrases with which models say that they do not know, in Russian and English. */
const refusal =
  /не знаю|не наш[её]?л|не нашл|не найден|нет (?:таких |такой |этой )?(?:информации|сведений|данных|ответа)|не указан|не (?:могу|смог) (?:найти|ответить)|(?:do not|don['’]t|does not|doesn['’]t|cannot|can['’]t|could not|couldn['’]t) (?:know|find|found|say|mention|have)|no (?:information|answer)|nothing about/i;

export function judgeAnswer(question: EvalQuestion, answer: EvalAnswer): Judged {
  const known = new Map(answer.passages.map((passage) => [passage.n, passage]));
  const sentences = answer.text.split(/(?<=[.!?…]["»”)]?(?:\s*\[\d+\])*)\s+|\n+/);
  const urls = question.urls && new Set(question.urls.map(pageOf));
  const text = plain(answer.text);
  const judged = {
    ...(urls && !question.refuse ? { cited: answer.sources.some((url) => urls.has(pageOf(url))) } : {}),
    ...(question.phrases ? { phrases: question.phrases.every((phrase) => text.includes(plain(phrase))) } : {}),
    ...(question.refuse ? { refused: answer.sources.length === 0 && refusal.test(answer.text) } : {}),
    sourced: answer.isSourced,
    numbers: sentences.every((sentence) => {
      const cited = [...sentence.matchAll(/\[(\d{1,3})\]/g)].flatMap(([, n]) => known.get(Number(n)) ?? []);
      if (cited.length === 0) return true;
      const said = numbersOf(sentence.replaceAll(/\[\d{1,3}\]/g, ""));
      const standing = new Set(cited.flatMap((passage) => numbersOf(passage.text)));
      return said.every((number) => standing.has(number));
    }),
  };
  return { ...judged, passed: answer.failure === undefined && Object.values(judged).every(Boolean) };
}

/** Normalizes case, «ё» and whitespace for comparisons. */
function plain(text: string): string {
  return text.toLowerCase().replaceAll("ё", "е").replaceAll(/\s+/g, " ");
}

/**
 * The numbers in a text, without the spaces and commas that group digits.
 *
 * @example numbersOf("от 6 000 ₽, 400 руб.") // ["6000", "400"]
 */
function numbersOf(text: string): readonly string[] {
  const grouped = text.replaceAll(/(?<=\d)[\s,](?=\d{3}(?!\d))/g, "");
  return [...grouped.matchAll(/\d+(?:[.,]\d+)?/g)].map(([number]) => number.replace(",", "."));
}
