import { APICallError, InvalidResponseDataError } from "@ai-sdk/provider";
import { noAnswerTexts } from "../no-answer-texts.ts";
import { ModelError } from "./model.ts";
import type { ModelErrorCode } from "./model.ts";

/**
 * Classifies an upstream's error: a code for programs and a message for the visitor. The provider's error stays in
 * `cause`. It is only for the log, because it may contain accounts or keys.
 *
 * @param begun whether the upstream had begun to answer: a lost connection then means that the answer was cut off
 */
export function toModelError(error: unknown, begun: boolean): ModelError {
  const known = chainOf(error).find((link) => link instanceof ModelError);
  if (known) return known;
  const fault = diagnose(error, begun);
  return new ModelError(codes[fault], sentences[fault], { cause: error, status: httpStatus(chainOf(error)) });
}

/** Whether a request that failed like this, before its answer began, may succeed when it is retried. */
export function isPassing(error: unknown): boolean {
  const chain = chainOf(error);
  // An error that we diagnosed ourselves, such as silence, was not reported by a service or a network.
  if (chain.some((link) => link instanceof ModelError)) return false;
  const fault = diagnose(error, false);
  if (fault === "tooLong") return false;
  const status = httpStatus(chain);
  return status === undefined || status < 400 ? passing.has(fault) : status === 408 || status === 429 || status >= 500;
}

/** The error for an upstream that is silent longer than the limit. */
export function silentUpstreamError(
  ms: number,
  limit: "upstreamIdleMs" | "firstByteMs" = "upstreamIdleMs",
): ModelError {
  const cause = new Error(`The upstream has sent nothing for ${ms} ms (limits.${limit})`);
  return new ModelError(codes.silent, sentences.silent, { cause });
}

/** The error for an upstream that is at another address. A retry would end in the same way. */
export function redirectError(status: number, address: string): ModelError {
  const cause = new BrokenResponseError(
    `a redirect (HTTP ${status}) to ${address}: set its baseUrl to the new address`,
  );
  return new ModelError(codes.unavailable, sentences.unavailable, { cause });
}

/** The error for an upstream that sends more than any answer needs. A retry would end in the same way. */
export function excessiveUpstreamError(what: string): ModelError {
  return new ModelError(codes.cutOff, sentences.cutOff, {
    cause: new RangeError(`The upstream sent more than ${what}`),
  });
}

/** The upstream's response is not a model's, or is torn. The message is a phrase without any text of the upstream. */
export class BrokenResponseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "BrokenResponseError";
  }
}

/** The error for an upstream that ends its response without content. */
export function emptyAnswerError(finishReason: string): ModelError {
  const cause = new Error(`The upstream sent an empty response (finish reason: ${finishReason})`);
  const fault = finishReason === "content-filter" ? "filtered" : "empty";
  return new ModelError(codes[fault], sentences[fault], { cause });
}

/** The error for a question that does not fit into the model's window. */
export function tooLongError(): ModelError {
  return new ModelError(codes.tooLong, sentences.tooLong);
}

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

const passing: ReadonlySet<Fault> = new Set(["limited", "late", "unavailable", "cutOff"]);

/**
 * The text of the `error` event, in the interface's default language. Our widget shows its own text for the code, in
 * the visitor's language (`i18n/failure-code-words.ts`). Other clients show this text.
 */
const sentences: Readonly<Record<Fault, string>> = {
  limited: "К модели сейчас слишком много запросов. Подождите минуту и попробуйте ещё раз.",
  noFunds: "Лимит обращений к модели исчерпан. Ответить не получится, пока владелец сайта его не пополнит.",
  unauthorized: "Сервис модели не принял ключ доступа. Ответить не получится, пока владелец сайта его не исправит.",
  refused: "Сервис модели отклонил запрос. Попробуйте изменить сообщение.",
  noSuchModel: "Такой модели у сервиса нет. Выберите другую или сообщите владельцу сайта.",
  filtered: "Сервис модели отказался отвечать на этот вопрос. Попробуйте сформулировать его иначе.",
  tooLong: "Разговор стал слишком длинным для модели. Начните новый чат или сократите сообщение.",
  ...noAnswerTexts,
  late: noAnswerTexts.silent,
  unavailable: "Сервис модели сейчас недоступен. Попробуйте ещё раз через минуту.",
  cutOff: "Ответ оборвался: связь с моделью прервалась. Попробуйте ещё раз.",
  failed: "Модель не смогла ответить. Попробуйте ещё раз.",
};

/**
 * Checks from the most to the least reliable sign. Some phrases come before the status, since services send them with
 * various statuses: a prompt that is too long with 400 or 413, used-up funds with 400, 402 or 429.
 */
function diagnose(error: unknown, begun: boolean): Fault {
  const chain = chainOf(error);
  const status = httpStatus(chain);
  const text = chain.map(textOf).join("\n").toLowerCase();
  if (includesAny(text, tooLong)) return "tooLong";
  if (includesAny(text, outOfFunds)) return "noFunds";
  if (includesAny(text, filters)) return "filtered";
  if (status !== undefined && status >= 400) return byStatus(status, text);
  if (includesAny(text, silences)) return "silent";
  if (includesAny(text, timeouts)) return "late";
  if (includesAny(text, rateLimits)) return "limited";
  if (includesAny(text, overloads)) return "unavailable";
  if (begun) return "cutOff";
  if (status !== undefined || chain.some(isBrokenStream) || includesAny(text, noConnection)) return "unavailable";
  return "failed";
}

function byStatus(status: number, text: string): Fault {
  if (status === 402) return "noFunds";
  if (status === 429) return "limited";
  if (status === 401 || status === 403) return "unauthorized";
  if (status === 413) return "tooLong";
  if (status === 408 || status === 504 || status === 524) return "late";
  if (status >= 500) return "unavailable";
  return status === 404 && text.includes("model") ? "noSuchModel" : "refused";
}

const tooLong = [
  "context_length_exceeded",
  "context length",
  "context window",
  "context size",
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
/** Node's `fetch` ends a silence of five minutes. A retry would wait as long. */
const silences = ["und_err_headers_timeout", "und_err_body_timeout"];
const timeouts = ["timeouterror", "etimedout", "timed out"];
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

function includesAny(text: string, phrases: readonly string[]): boolean {
  return phrases.some((phrase) => text.includes(phrase));
}

/** Whether the stream ended too early or contained malformed data. `terminated` is the message of Node's fetch. */
function isBrokenStream(error: unknown): boolean {
  return (
    error instanceof BrokenResponseError ||
    InvalidResponseDataError.isInstance(error) ||
    (error instanceof TypeError && error.message === "terminated")
  );
}

function httpStatus(chain: readonly unknown[]): number | undefined {
  return chain.map(statusOf).find((code) => code !== undefined);
}

/**
 * The HTTP status of an error. An error in the middle of a stream has none; providers put it into the error's `code`.
 */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { statusCode, status, code } = error as Readonly<Record<string, unknown>>;
  return [statusCode, status, code].find(
    (each): each is number => typeof each === "number" && each >= 100 && each < 600,
  );
}

/** Everything that an error says about itself, as one text in which to search for phrases. */
function textOf(error: unknown): string {
  if (typeof error === "string") return error;
  if (typeof error !== "object" || error === null) return "";
  const { name, message, code, type } = error as Readonly<Record<string, unknown>>;
  const body = APICallError.isInstance(error) ? error.responseBody : undefined;
  return [name, message, code, type, body].filter((field) => typeof field === "string").join("\n");
}

/** The most links that are examined: an error may be its own cause. */
const MAX_CAUSES = 8;

/** An error and its causes, the outermost first. */
function chainOf(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  for (let link = error; link != null && chain.length < MAX_CAUSES;) {
    chain.push(link);
    if (typeof link !== "object") break;
    const { cause, lastError } = link as { readonly cause?: unknown; readonly lastError?: unknown };
    link = lastError ?? cause;
  }
  return chain;
}
