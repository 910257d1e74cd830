import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { excessiveUpstreamError } from "../to-model-error.ts";
import { ChunkParts } from "./chunk-parts.ts";
import { objectIn, repairedChunk } from "./repaired-chunk.ts";
import type { Json } from "./repaired-chunk.ts";

/** Reads the body of one response: takes its text in pieces, and returns their items. */
export interface BodyReading<T> {
  /** Whether the response has announced its end. */
  readonly isDone: boolean;
  /**
   * Whether the response has contained its finish reason. Then it counts as complete even if the connection breaks
   * afterwards.
   */
  readonly hasFinished: boolean;
  feed(text: string): readonly T[];
  /** The body has ended, and the connection did not break. */
  end(): readonly T[];
}

/** The most characters of a line, and of a body that is read as a whole. */
const MAX_CHARS = 16_000_000;

/** The most lines that are not JSON: a response with more is not a stream of chunks. */
const MAX_TORN_LINES = 1_000;

/** Repairs a chat completion that was not requested as a stream. */
export class CompletionRepair implements BodyReading<Uint8Array> {
  readonly isDone = false;
  readonly hasFinished = false;
  #text = "";

  feed(text: string): readonly Uint8Array[] {
    this.#text = bounded(this.#text + text);
    return [];
  }

  end(): readonly Uint8Array[] {
    const value = objectIn(this.#text);
    return [new TextEncoder().encode(value ? JSON.stringify(repairedChunk(value, "message")) : this.#text)];
  }
}

/**
 * Reads a stream of chunks. Lines that are not JSON are skipped, and a whole completion in place of a stream counts as
 * one chunk. A response that has content and ends without a finish reason, by `[DONE]` or by a plain close, counts as
 * complete, unless its last line was torn: such an answer counts as cut off.
 */
export class CompletionStream implements BodyReading<LanguageModelV4StreamPart> {
  isDone = false;
  readonly #parts: ChunkParts;
  #isWhole: boolean | undefined;
  /** The beginning of a line, or of a body that is not a stream. */
  #rest = "";
  /** A CR at the end of a piece: its LF may be the first character of the next piece. */
  #heldCr = "";
  /** Lines of an event that are not valid JSON separately: they may form one JSON text over several lines. */
  #torn = "";
  #tornLines = 0;
  #isBroken = false;

  constructor(contentType = "none") {
    this.#parts = new ChunkParts(contentType);
  }

  get hasFinished(): boolean {
    return this.#parts.hasFinished;
  }

  feed(piece: string): readonly LanguageModelV4StreamPart[] {
    // No line of an event stream begins with a brace.
    if (this.#isWhole === undefined && /\S/.test(piece)) this.#isWhole = /^\s*[[{]/.test(piece);
    if (this.#isWhole) {
      this.#rest = bounded(this.#rest + piece);
      return [];
    }
    const held = this.#heldCr + piece;
    this.#heldCr = held.endsWith("\r") ? "\r" : "";
    const lines = held.slice(0, held.length - this.#heldCr.length).split(/\r\n|\n|\r/);
    lines[0] = this.#rest + (lines[0] ?? "");
    this.#rest = bounded(lines.pop() ?? "");
    return lines.flatMap((line) => this.#line(line));
  }

  end(): readonly LanguageModelV4StreamPart[] {
    if (this.isDone) return [];
    const whole = this.#isWhole ? objectIn(this.#rest) : undefined;
    const last = whole ? this.#chunk(whole) : this.#line(this.#rest);
    if (this.isDone) return last;
    const isCut = this.#rest !== "" && "data: ".startsWith(this.#rest);
    this.#isBroken ||= isCut || this.#torn !== "" || (this.#isWhole === true && !whole);
    return [...last, ...this.#parts.end(this.#isBroken)];
  }

  #line(line: string): readonly LanguageModelV4StreamPart[] {
    if (line === "") return this.#endEvent();
    if (this.isDone) return [];
    // llama.cpp uses this field name for an error, instead of `data`.
    const failure = line.startsWith("error:") ? objectIn(line.slice(6)) : undefined;
    if (failure) return this.#chunk({ error: failure });
    const data = line.startsWith("data:") ? line.slice(line[5] === " " ? 6 : 5) : "";
    if (data === "") return [];
    if (data.trim() === "[DONE]") {
      this.isDone = true;
      return this.#parts.end(false);
    }
    const value = objectIn(data);
    if (value) return this.#chunk(value);
    this.#tornLines += 1;
    if (this.#tornLines > MAX_TORN_LINES) throw excessiveUpstreamError(`${MAX_TORN_LINES} lines that are no JSON`);
    this.#torn = bounded(this.#torn === "" ? data : `${this.#torn}\n${data}`);
    return [];
  }

  #endEvent(): readonly LanguageModelV4StreamPart[] {
    if (this.#torn === "") return [];
    const value = this.#torn.includes("\n") ? objectIn(this.#torn) : undefined;
    this.#torn = "";
    this.#isBroken ||= !value;
    return value ? this.#chunk(value) : [];
  }

  #chunk(value: Json): readonly LanguageModelV4StreamPart[] {
    return this.#parts.of(repairedChunk(value, "delta"));
  }
}

function bounded(text: string): string {
  if (text.length > MAX_CHARS) throw excessiveUpstreamError(`${MAX_CHARS} characters without an end`);
  return text;
}
