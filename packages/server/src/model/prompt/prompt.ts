import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import type { Message } from "@nitka/protocol";
import { partsOf } from "@nitka/protocol/message";
import { windowStart } from "../../history-window.ts";
import { MAX_FILE_BYTES } from "../model.ts";
import { answerTurns, MAX_RESULT_CHARS } from "./answer-turns.ts";
import { tooLongError } from "../to-model-error.ts";
import { joinTurns, JOIN_CHARS } from "./join-turns.ts";
import { hasFiles, withoutFiles } from "./model-input.ts";
import { fittedData } from "./question-data.ts";
import { messageChars, outputChars } from "./prompt-chars.ts";
import { pieceChars, renderPiece, userPieces } from "./user-pieces.ts";
import type { Piece, StoredFiles, UserPart } from "./user-pieces.ts";
import { toolFilePieces } from "./tool-files.ts";
import { truncateText } from "./truncate-text.ts";

export interface PromptOptions extends StoredFiles {
  /** The visible branch; its last message is the question. */
  readonly history: readonly Message[];
  readonly instructions?: string | undefined;
  /**
   * Data for the model in the frames of `questionData`. It comes after the question, so that earlier messages stay
   * cached.
   */
  readonly data?: string | undefined;
  /** The most characters to send; `null` for no limit. The text of the question is always sent. */
  readonly contextChars: number | null;
  /** Called once, with the bytes of all files that will be read. */
  readonly expectFiles?: ((bytes: number) => Promise<void>) | undefined;
  /** The most characters that the model accepts, including the text of the question; `undefined` when unknown. */
  readonly windowChars?: number | undefined;
  /** Whether calls of earlier answers are included. A model without tools only gets the texts of earlier answers. */
  readonly tellsCalls?: boolean;
  /** The number of characters that the declared tools take. */
  readonly toolsChars: number;
  /** Provider options that mark a prompt for caching. They are set on the instructions and on the last message. */
  readonly cacheMark?: SharedV4ProviderOptions | undefined;
  /** Called when the prompt was made smaller, because a request was refused. */
  readonly onSmaller?: ((reason: "without_files" | "half_history") => void) | undefined;
}

/** The prompt of one run. It grows with each step. */
export interface Prompt {
  /** Adds the messages of a finished step: the assistant's parts and the tool results. */
  add(messages: readonly LanguageModelV4Message[]): void;
  /**
   * The messages for the next request, within the limit. No two neighbours have the same role.
   *
   * @throws ModelError `context_too_long` when the question and the run's own steps exceed `windowChars`
   */
  messages(): LanguageModelV4Prompt;
  /** Replaces the bytes of all files by sentences. Returns whether there were any. */
  omitFiles(): boolean;
  /** Drops the older half of the history. Returns whether there was any; always `false` the second time. */
  halve(): boolean;
}

/** The share of the budget for the files of one question. The rest is for follow-up questions and tool results. */
const FILES_SHARE = 0.75;

/** The least budget for files: enough for their names, even if the text of the question leaves less. */
const NAMES_CHARS = 2_000;

/** A question and its answer. */
interface Exchange {
  readonly pieces: readonly Piece[];
  readonly answer: readonly LanguageModelV4Message[];
}

/**
 * Cuts a conversation to the limit. Whole exchanges are dropped from the beginning, and only files of the remaining
 * ones are read.
 *
 * @example
 * // limit: 30 characters, no instructions or tools
 * // history: question of 20, answer of 20 · question of 5, answer of 4 · question of 5
 * // sent:    question of 5, answer of 4 · question of 5
 */
export async function openPrompt(options: PromptOptions): Promise<Prompt> {
  const { instructions, cacheMark } = options;
  const system: LanguageModelV4Message[] =
    instructions === undefined ? [] : [{ role: "system", content: instructions, ...withProviderOptions(cacheMark) }];
  const { windowChars = Number.POSITIVE_INFINITY, tellsCalls = true } = options;
  const fixed = (instructions?.length ?? 0) + options.toolsChars;
  const budget = Math.min(options.contextChars ?? Number.POSITIVE_INFINITY, windowChars) - fixed;

  const conversation = exchangesOf(options.history, options, tellsCalls);
  const asked = conversation.at(-1);
  const data = asked && options.data && fittedData(options.data, budget - textChars(asked.pieces));
  const exchanges = data
    ? [...conversation.slice(0, -1), { ...asked, pieces: [...asked.pieces, { type: "text", text: data } as const] }]
    : conversation;
  const lengths = exchanges.map(({ pieces, answer }) => {
    const words = textChars(pieces);
    const question = words + Math.min(sum(pieces.map(pieceChars)) - words, filesBudget(words, budget));
    return { question, whole: question + sum(answer.map(messageChars)) + (answer.length === 0 ? JOIN_CHARS : 0) };
  });
  const chosen = exchanges.slice(windowStart(lengths, budget));
  const sendable = newestFiles(chosen);
  const bytes = sum([...sendable].map((piece) => (piece.type === "file" ? piece.size : 0)));
  if (bytes > 0) await options.expectFiles?.(bytes);
  const rendered: LanguageModelV4Message[][] = [];
  for (const { pieces, answer } of chosen) rendered.push([...(await render(pieces, budget, sendable)), ...answer]);
  const question = data
    ? (rendered.at(-1) ?? []).map((each) => markedBeforeLast(each, cacheMark))
    : (rendered.at(-1) ?? []);
  const earlier = rendered.slice(0, -1).map((messages) => {
    const joins = messages[0]?.role === "user" && messages.at(-1)?.role !== "user" ? 0 : JOIN_CHARS;
    return { messages, chars: sum(messages.map(messageChars)) + joins };
  });
  const steps: LanguageModelV4Message[] = [];
  let hasFilesLeft = true;
  let isHalved = false;
  let firstSent = 0;
  let lastSent: LanguageModelV4Prompt = [];

  return {
    add: (messages) => {
      steps.push(...messages);
    },
    messages: () => {
      const free = budget - sum(question.map(messageChars));
      const taken = truncateToolResults(steps, free);
      const left = free - sum(taken.map(messageChars));
      if (left < 0 && budget - left + fixed > windowChars) throw tooLongError();
      const fitting = windowStart([...earlier.map(({ chars }) => ({ question: 0, whole: chars })), noExchange], left);
      firstSent = Math.max(firstSent, fitting);
      const sent = [...earlier.slice(firstSent).flatMap(({ messages }) => messages), ...question, ...taken];
      const prompt = [...system, ...joinTurns(hasFilesLeft ? sent : sent.map(withoutFiles))];
      const last = prompt.at(-1);
      lastSent = cacheMark && last ? [...prompt.slice(0, -1), { ...last, ...withProviderOptions(cacheMark) }] : prompt;
      return lastSent;
    },
    omitFiles: () => {
      hasFilesLeft = false;
      const hadFiles = lastSent.some(hasFiles);
      if (hadFiles) options.onSmaller?.("without_files");
      return hadFiles;
    },
    halve: () => {
      const chars = earlier.slice(firstSent).map((exchange) => exchange.chars);
      if (isHalved || chars.length === 0) return false;
      isHalved = true;
      const half = sum(chars) / 2;
      for (let left = 2 * half; left > half; left -= chars.shift() ?? left) firstSent += 1;
      options.onSmaller?.("half_history");
      return true;
    },
  };
}

const noExchange = { question: 0, whole: 0 };

/**
 * Splits the history into exchanges. Files that tools returned come before the next question. Empty messages are left
 * out. System messages are left out too, because only the project may give instructions.
 */
function exchangesOf(history: readonly Message[], stored: StoredFiles, tellsCalls: boolean): readonly Exchange[] {
  const exchanges: { pieces: readonly Piece[]; answer: LanguageModelV4Message[] }[] = [];
  let given: readonly Piece[] = [];
  for (const message of history) {
    if (message.role === "user") {
      exchanges.push({ pieces: [...given, ...userPieces(message, stored)], answer: [] });
      given = [];
    } else if (message.role === "assistant") {
      if (exchanges.length === 0) exchanges.push({ pieces: [], answer: [] });
      const parts = tellsCalls ? partsOf(message) : partsOf(message).filter(({ type }) => type !== "tool-call");
      exchanges.at(-1)?.answer.push(...answerTurns(parts));
      given = [...given, ...toolFilePieces(parts, stored)];
    }
  }
  return exchanges;
}

/** The files that fit into `MAX_FILE_BYTES`; files of newer messages take precedence. */
function newestFiles(exchanges: readonly Exchange[]): ReadonlySet<Piece> {
  let left = MAX_FILE_BYTES;
  const sendable = new Set<Piece>();
  for (const piece of exchanges.toReversed().flatMap(({ pieces }) => pieces)) {
    if (piece.type !== "file" || piece.size > left) continue;
    left -= piece.size;
    sendable.add(piece);
  }
  return sendable;
}

/**
 * The number of characters for the files of a question.
 *
 * @param words the length of the question's text
 */
function filesBudget(words: number, budget: number): number {
  return Math.max(0, Math.min(budget - words, Math.max(FILES_SHARE * budget - words, NAMES_CHARS)));
}

function textChars(pieces: readonly Piece[]): number {
  return sum(pieces.map((piece) => (piece.type === "text" ? piece.text.length : 0)));
}

/** Renders the pieces in sequence, so that the files of a long conversation are not all read at the same time. */
async function render(
  pieces: readonly Piece[],
  budget: number,
  sendable: ReadonlySet<Piece>,
): Promise<readonly LanguageModelV4Message[]> {
  let left = filesBudget(textChars(pieces), budget);
  const content: UserPart[] = [];
  for (const piece of pieces) {
    const part = await renderPiece(piece, left, sendable.has(piece));
    if (!part) continue;
    content.push(part);
    if (piece.type !== "text") left -= messageChars({ role: "user", content: [part] });
  }
  return content.length === 0 ? [] : [{ role: "user", content }];
}

/**
 * A question's message that ends with data, with the cache mark before the data: the next question's prompt is
 * identical up to there.
 */
function markedBeforeLast(
  message: LanguageModelV4Message,
  cacheMark: SharedV4ProviderOptions | undefined,
): LanguageModelV4Message {
  if (message.role !== "user") return message;
  const place = message.content.length - 2;
  const marked = (part: UserPart) => ({ ...part, ...withProviderOptions(cacheMark) });
  return { ...message, content: message.content.map((part, index) => (index === place ? marked(part) : part)) };
}

function withProviderOptions(providerOptions: SharedV4ProviderOptions | undefined) {
  return providerOptions === undefined ? {} : { providerOptions };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** Cuts the tool results in the messages of a run to the budget. The newest results get their share first. */
function truncateToolResults(
  steps: readonly LanguageModelV4Message[],
  budget: number,
): readonly LanguageModelV4Message[] {
  let left = budget - steps.reduce((sum, message) => sum + (message.role === "tool" ? 0 : messageChars(message)), 0);
  const truncated: LanguageModelV4Message[] = [];
  for (const message of steps.toReversed()) {
    if (message.role !== "tool") {
      truncated.push(message);
      continue;
    }
    const content: typeof message.content = [];
    for (const part of message.content) {
      if (part.type !== "tool-result") continue;
      const output = truncateOutput(part.output, Math.min(Math.max(0, left), MAX_RESULT_CHARS));
      left -= outputChars(output);
      content.push({ ...part, output });
    }
    truncated.push({ ...message, content });
  }
  return truncated.toReversed();
}

type Output = LanguageModelV4ToolResultPart["output"];

function truncateOutput(output: Output, budget: number): Output {
  if (outputChars(output) <= budget || output.type === "execution-denied") return output;
  const isError = output.type === "error-text" || output.type === "error-json";
  return { type: isError ? "error-text" : "text", value: truncateText(textOf(output), budget) };
}

function textOf(output: Exclude<Output, { type: "execution-denied" }>): string {
  if (output.type === "content") return output.value.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  return typeof output.value === "string" ? output.value : JSON.stringify(output.value);
}
