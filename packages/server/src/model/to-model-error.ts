import { APICallError, InvalidResponseDataError } from "@ai-sdk/provider";
import { ModelError } from "./model.ts";
import type { ModelErrorCode } from "./model.ts";

/**
 * What went wrong upstream, as a code and a sentence for the visitor. The provider's own words stay in `cause`: they
 * are for the log, and may name accounts or keys.
 *
 * @param begun whether the upstream had begun to answer: then a lost connection is an answer cut off
 */
export function toModelError(error: unknown, begun: boolean): ModelError {
  const known = chainOf(error).find((link) => link instanceof ModelError);
  if (known) return known;
  const fault = diagnose(error, begun);
  return new ModelError(codes[fault], sentences[fault], { cause: error });
}

/** The failure of an upstream that keeps silent. */
export function silenceError(idleMs: number): ModelError {
  const cause = new Error(`The upstream has sent nothing for ${idleMs} ms (limits.upstreamIdleMs)`);
  return new ModelError(codes.silent, sentences.silent, { cause });
}

/** The failure of an upstream that ends without having said anything. */
export function emptyAnswerError(finishReason: string): ModelError {
  const cause = new Error(`The upstream answered nothing (finish reason: ${finishReason})`);
  const fault = finishReason === "content-filter" ? "filtered" : "empty";
  return new ModelError(codes[fault], sentences[fault], { cause });
}

/** The code of each fault. */
const codes = {
  limited: "upstream_limited",
  noFunds: "upstream_limited",
  unauthorized: "upstream_refused",
  refused: "upstream_refused",
  noSuchModel: "upstream_refused",
  filtered: "upstream_refused",
  tooLong: "context_too_long",
  silent: "silent",
  late: "upstream_unavailable",
  unavailable: "upstream_unavailable",
  cutOff: "upstream_unavailable",
  empty: "empty",
  failed: "failed",
} as const satisfies Readonly<Record<string, ModelErrorCode>>;

type Fault = keyof typeof codes;

/** These stand in the answer, where the interface's words are Russian. */
const sentences: Readonly<Record<Fault, string>> = {
  limited: "К модели сейчас слишком много запросов. Подождите минуту и попробуйте ещё раз.",
  noFunds: "Лимит обращений к модели исчерпан. Ответить не получится, пока владелец сайта его не пополнит.",
  unauthorized: "Сервис модели не принял ключ доступа. Ответить не получится, пока владелец сайта его не исправит.",
  refused: "Сервис модели отклонил запрос. Попробуйте изменить сообщение.",
  noSuchModel: "Такой модели у сервиса нет. Выберите другую или сообщите владельцу сайта.",
  filtered: "Сервис модели отказался отвечать на этот вопрос. Попробуйте сформулировать его иначе.",
  tooLong: "Разговор стал слишком длинным для модели. Начните новый чат или сократите сообщение.",
  silent: "Модель слишком долго молчит. Попробуйте ещё раз.",
  late: "Модель слишком долго молчит. Попробуйте ещё раз.",
  unavailable: "Сервис модели сейчас недоступен. Попробуйте ещё раз через минуту.",
  cutOff: "Ответ оборвался: связь с моделью прервалась. Попробуйте ещё раз.",
  empty: "Модель вернула пустой ответ. Попробуйте ещё раз.",
  failed: "Модель не смогла ответить. Попробуйте ещё раз.",
};

function diagnose(error: unknown, begun: boolean): Fault {
  const chain = chainOf(error);
  const status = chain.map(statusOf).find((code) => code !== undefined);
  const words = chain.map(wordsOf).join("\n").toLowerCase();
  if (has(words, tooLong)) return "tooLong";
  if (has(words, outOfFunds)) return "noFunds";
  if (has(words, filters)) return "filtered";
  if (status !== undefined && status >= 400) return byStatus(status, words);
  if (has(words, timeouts)) return "late";
  if (has(words, rateLimits)) return "limited";
  if (has(words, overloads)) return "unavailable";
  if (begun || status !== undefined || chain.some(isBrokenStream)) return "cutOff";
  if (has(words, noConnection)) return "unavailable";
  return "failed";
}

function byStatus(status: number, words: string): Fault {
  if (status === 429) return "limited";
  if (status === 401 || status === 403) return "unauthorized";
  if (status === 413) return "tooLong";
  if (status === 408 || status === 504 || status === 524) return "late";
  if (status >= 500) return "unavailable";
  return status === 404 && words.includes("model") ? "noSuchModel" : "refused";
}

const tooLong = [
  "context_length_exceeded",
  "context length",
  "context window",
  "prompt is too long",
  "input is too long",
  "too many tokens",
  "token limit",
  "token count exceeds",
  "input token count",
  "request_too_large",
];
const outOfFunds = ["insufficient_quota", "exceeded your current quota", "credit balance", "billing_hard_limit"];
const filters = ["content_filter", "content management policy", "content_policy_violation"];
const timeouts = ["timeouterror", "und_err_headers_timeout", "und_err_body_timeout", "etimedout", "timed out"];
const rateLimits = ["rate_limit", "rate limit", "too many requests", "resource_exhausted"];
const overloads = ["overloaded", "server_error", "unavailable", "internal error"];
const noConnection = [
  "fetch failed",
  "cannot connect",
  "econnrefused",
  "enotfound",
  "econnreset",
  "eai_again",
  "socket",
];

function has(words: string, signs: readonly string[]): boolean {
  return signs.some((sign) => words.includes(sign));
}

/** The stream itself was at fault: it ended too early, or held what no provider sends whole. */
function isBrokenStream(error: unknown): boolean {
  return InvalidResponseDataError.isInstance(error) || (error instanceof TypeError && error.message === "terminated");
}

/** The HTTP status. In the middle of a stream there is none: there providers write it into the error itself. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { statusCode, status, code } = error as Readonly<Record<string, unknown>>;
  return [statusCode, status, code].find(
    (each): each is number => typeof each === "number" && each >= 100 && each < 600,
  );
}

/** Everything that an error says about itself, in one text to look for signs in. */
function wordsOf(error: unknown): string {
  if (typeof error === "string") return error;
  if (typeof error !== "object" || error === null) return "";
  const { name, message, code, type } = error as Readonly<Record<string, unknown>>;
  const body = APICallError.isInstance(error) ? error.responseBody : undefined;
  return [name, message, code, type, body].filter((word) => typeof word === "string").join("\n");
}

/** An error, its causes and the errors that it gathers. */
function chainOf(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  for (let link = error; link != null && chain.length < 8;) {
    chain.push(link);
    if (typeof link !== "object") break;
    const { cause, lastError } = link as { readonly cause?: unknown; readonly lastError?: unknown };
    link = lastError ?? cause;
  }
  return chain;
}
