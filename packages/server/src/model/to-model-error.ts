import { APICallError, InvalidResponseDataError } from "@ai-sdk/provider";
import { StreamProviderError } from "ai";
import { ModelError } from "./model.ts";
import type { ModelErrorKind } from "./model.ts";

/**
 * What went wrong upstream, as a kind and a sentence for the visitor. The provider's own words stay in `cause`: they
 * are for the log, and may name accounts or keys.
 *
 * @param begun whether the upstream had begun to answer: then a lost connection is an answer cut off
 */
export function toModelError(error: unknown, begun: boolean): ModelError {
  const known = chainOf(error).find((link) => link instanceof ModelError);
  if (known) return known;
  const { kind, sentence } = diagnose(error, begun);
  return new ModelError(kind, sentence ?? sentences[kind], { cause: error });
}

/** The failure of an upstream that keeps silent. */
export function silenceError(idleMs: number): ModelError {
  const cause = new Error(`The upstream has sent nothing for ${idleMs} ms (limits.upstreamIdleMs)`);
  return new ModelError("timeout", sentences.timeout, { cause });
}

/** The failure of an upstream that ends without having said anything. */
export function emptyAnswerError(finishReason: string): ModelError {
  const cause = new Error(`The upstream answered nothing (finish reason: ${finishReason})`);
  return finishReason === "content-filter"
    ? new ModelError(
        "failed",
        "Сервис модели отказался отвечать на этот вопрос. Попробуйте сформулировать его иначе.",
        {
          cause,
        },
      )
    : new ModelError("failed", "Модель вернула пустой ответ. Попробуйте ещё раз.", { cause });
}

/** These stand in the answer, where the interface's words are Russian. */
const sentences: Readonly<Record<ModelErrorKind, string>> = {
  rate_limited: "К модели сейчас слишком много запросов. Подождите минуту и попробуйте ещё раз.",
  unauthorized: "Сервис модели не принял ключ доступа. Ответить не получится, пока владелец сайта его не исправит.",
  context_too_long: "Разговор стал слишком длинным для модели. Начните новый чат или сократите сообщение.",
  timeout: "Модель слишком долго молчит. Попробуйте ещё раз.",
  unavailable: "Сервис модели сейчас недоступен. Попробуйте ещё раз через минуту.",
  cut_off: "Ответ оборвался: связь с моделью прервалась. Попробуйте ещё раз.",
  failed: "Модель не смогла ответить. Попробуйте ещё раз.",
};

interface Diagnosis {
  readonly kind: ModelErrorKind;
  /** Where the kind's own sentence does not fit. */
  readonly sentence?: string;
}

function diagnose(error: unknown, begun: boolean): Diagnosis {
  const chain = chainOf(error);
  const status = chain.map(statusOf).find((code) => code !== undefined);
  const words = chain.map(wordsOf).join("\n").toLowerCase();
  if (has(words, tooLong)) return { kind: "context_too_long" };
  if (has(words, outOfFunds)) return { kind: "rate_limited", sentence: outOfFundsSentence };
  if (status !== undefined && status >= 400) return byStatus(status, words);
  if (has(words, timeouts)) return { kind: "timeout" };
  if (has(words, rateLimits)) return { kind: "rate_limited" };
  if (has(words, overloads)) return { kind: "unavailable" };
  if (begun || status !== undefined || chain.some(isBrokenStream)) return { kind: "cut_off" };
  if (has(words, noConnection)) return { kind: "unavailable" };
  return { kind: "failed" };
}

function byStatus(status: number, words: string): Diagnosis {
  if (status === 429) return { kind: "rate_limited" };
  if (status === 401 || status === 403) return { kind: "unauthorized" };
  if (status === 413) return { kind: "context_too_long" };
  if (status === 408 || status === 504 || status === 524) return { kind: "timeout" };
  if (status >= 500) return { kind: "unavailable" };
  if (status === 404 && words.includes("model")) {
    return { kind: "failed", sentence: "Такой модели у сервиса нет. Выберите другую или сообщите владельцу сайта." };
  }
  return { kind: "failed", sentence: `Сервис модели отклонил запрос (${status}). Попробуйте изменить сообщение.` };
}

const outOfFundsSentence =
  "Лимит обращений к модели исчерпан. Ответить не получится, пока владелец сайта его не пополнит.";

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

function statusOf(error: unknown): number | undefined {
  if (APICallError.isInstance(error) || StreamProviderError.isInstance(error)) return error.statusCode;
  return undefined;
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
