import type { LanguageModelV4Message, LanguageModelV4Prompt, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { Message } from "@nitka/protocol";
import { partsOf } from "@nitka/protocol/message";
import { MAX_FILE_BYTES } from "../model.ts";
import { answerTurns } from "./answer-turns.ts";
import { fitResults } from "./fit-results.ts";
import { windowStart } from "../../history-window.ts";
import { messageChars } from "./prompt-chars.ts";
import { pieceChars, renderPiece, userPieces } from "./user-pieces.ts";
import type { Piece, StoredFiles, UserPart } from "./user-pieces.ts";

export interface PromptOptions extends StoredFiles {
  /** The visible branch, its last message the question. */
  readonly history: readonly Message[];
  readonly instructions?: string | undefined;
  /** Characters of all that is sent; `null` for no limit. The question's own words always go. */
  readonly contextChars: number | null;
  /** What the declared tools take of them. */
  readonly toolsChars: number;
  /** A provider's marks on the end of what stays the same: of the instructions, and of the whole. */
  readonly cacheMark?: SharedV4ProviderOptions | undefined;
}

/** What a model is sent in one run: it grows by each step. */
export interface Prompt {
  /** The messages of a step that is over: what was said and called, what the tools returned. */
  add(messages: readonly LanguageModelV4Message[]): void;
  /** As much as fits, as it is sent now. */
  messages(): LanguageModelV4Prompt;
}

/** The files of one question leave a quarter of the room: for what is asked about them next, and for tools' results. */
const FILES_SHARE = 0.75;

/** Where a question's own words leave less than that: room for the names of its files. */
const NAMES_CHARS = 2_000;

/** A question and what answered it. */
interface Exchange {
  readonly pieces: readonly Piece[];
  readonly answer: readonly LanguageModelV4Message[];
}

/** Chooses what of a conversation fits, and reads the files of that alone. */
export async function openPrompt(options: PromptOptions): Promise<Prompt> {
  const { instructions, cacheMark } = options;
  const system: LanguageModelV4Message[] =
    instructions === undefined ? [] : [{ role: "system", content: instructions, ...marked(cacheMark) }];
  const room = (options.contextChars ?? Number.POSITIVE_INFINITY) - (instructions?.length ?? 0) - options.toolsChars;

  const exchanges = exchangesOf(options.history, options);
  const lengths = exchanges.map(({ pieces, answer }) => {
    const words = wordsOf(pieces);
    const question = words + Math.min(sum(pieces.map(pieceChars)) - words, filesRoom(words, room));
    return { question, whole: question + sum(answer.map(messageChars)) };
  });
  const chosen = exchanges.slice(windowStart(lengths, room));
  const sendable = newestFiles(chosen);
  const rendered: LanguageModelV4Message[][] = [];
  for (const { pieces, answer } of chosen) rendered.push([...(await render(pieces, room, sendable)), ...answer]);
  const question = rendered.at(-1) ?? [];
  const earlier = rendered.slice(0, -1).map((messages) => ({ messages, chars: sum(messages.map(messageChars)) }));
  const steps: LanguageModelV4Message[] = [];

  return {
    add: (messages) => {
      steps.push(...messages);
    },
    messages: () => {
      const free = room - sum(question.map(messageChars));
      const taken = fitResults(steps, free);
      const left = free - sum(taken.map(messageChars));
      const from = windowStart([...earlier.map(({ chars }) => ({ question: 0, whole: chars })), noExchange], left);
      const prompt = [...system, ...earlier.slice(from).flatMap(({ messages }) => messages), ...question, ...taken];
      const last = prompt.at(-1);
      return cacheMark && last ? [...prompt.slice(0, -1), { ...last, ...marked(cacheMark) }] : prompt;
    },
  };
}

const noExchange = { question: 0, whole: 0 };

/**
 * The conversation by its questions, without what says nothing: empty turns leave nothing in their place. System
 * messages are left out as well: only the project may give those (`instructions`).
 */
function exchangesOf(history: readonly Message[], stored: StoredFiles): readonly Exchange[] {
  const exchanges: { pieces: readonly Piece[]; answer: LanguageModelV4Message[] }[] = [];
  for (const message of history) {
    if (message.role === "user") {
      exchanges.push({ pieces: userPieces(message, stored), answer: [] });
    } else if (message.role === "assistant") {
      if (exchanges.length === 0) exchanges.push({ pieces: [], answer: [] });
      exchanges.at(-1)?.answer.push(...answerTurns(partsOf(message)));
    }
  }
  return exchanges;
}

/** The files that the request has room for, those of the newest messages first. */
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

/** Characters for the files of a question with so many characters of its own. */
function filesRoom(words: number, room: number): number {
  return Math.max(0, Math.min(room - words, Math.max(FILES_SHARE * room - words, NAMES_CHARS)));
}

function wordsOf(pieces: readonly Piece[]): number {
  return sum(pieces.map((piece) => (piece.type === "text" ? piece.text.length : 0)));
}

/** One after the other: the files of a long conversation need not all be on their way at one time. */
async function render(
  pieces: readonly Piece[],
  room: number,
  sendable: ReadonlySet<Piece>,
): Promise<readonly LanguageModelV4Message[]> {
  let left = filesRoom(wordsOf(pieces), room);
  const content: UserPart[] = [];
  for (const piece of pieces) {
    const part = await renderPiece(piece, left, sendable.has(piece));
    if (!part) continue;
    content.push(part);
    if (piece.type !== "text") left -= messageChars({ role: "user", content: [part] });
  }
  return content.length === 0 ? [] : [{ role: "user", content }];
}

function marked(providerOptions: SharedV4ProviderOptions | undefined) {
  return providerOptions === undefined ? {} : { providerOptions };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
