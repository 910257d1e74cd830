import { excessiveUpstreamError } from "../to-model-error.ts";
import { isObject, objectIn, repairedChunk } from "./repaired-chunk.ts";
import type { Json } from "./repaired-chunk.ts";

/** Repairs one response: takes its text in pieces, and returns what is sent on in their place. */
export interface BodyRepair {
  /** Whether the response has said that it is over. */
  readonly isDone: boolean;
  feed(text: string): string;
  /** The body has ended, and the connection did not break. */
  end(): string;
}

/** The most characters of a body that is read as a whole, and of a line. */
const MAX_CHARS = 16_000_000;

/** The most characters of a chunk, pictures and the like left out. The SDK takes a while for each. */
const MAX_CHUNK_CHARS = 2_000_000;

/** The most lines that are no JSON: a response of many is no stream of chunks. */
const MAX_TORN_LINES = 1_000;

/** The repair of a chat completion that was not asked for as a stream. */
export class CompletionRepair implements BodyRepair {
  readonly isDone = false;
  #text = "";

  feed(text: string): string {
    this.#text = bounded(this.#text + text);
    return "";
  }

  end(): string {
    const value = objectIn(this.#text);
    return value ? JSON.stringify(repairedChunk(value, "message")) : this.#text;
  }
}

/**
 * The repair of a stream of chunks. Each chunk is sent on by itself; what is no JSON is left out. A whole completion in place
 * of a stream becomes one chunk. A response that has content and ends without a finish reason, by `[DONE]` or by a plain
 * close, gets one, unless what came last was torn: such an answer is cut off.
 */
export class StreamRepair implements BodyRepair {
  isDone = false;
  #isWhole: boolean | undefined;
  /** The beginning of a line, or of a body that is no stream. */
  #rest = "";
  /** A CR at the end of a piece: its LF may be the next piece's first character. */
  #heldCr = "";
  /** Lines of an event that are no JSON by themselves: it may be one over several lines. */
  #torn = "";
  #tornLines = 0;
  #isBroken = false;
  #hasContent = false;
  #hasCalls = false;
  #hasReason = false;

  feed(piece: string): string {
    // No line of an event stream begins with a brace.
    if (this.#isWhole === undefined && /\S/.test(piece)) this.#isWhole = /^\s*[[{]/.test(piece);
    if (this.#isWhole) {
      this.#rest = bounded(this.#rest + piece);
      return "";
    }
    const held = this.#heldCr + piece;
    this.#heldCr = held.endsWith("\r") ? "\r" : "";
    const lines = held.slice(0, held.length - this.#heldCr.length).split(/\r\n|\n|\r/);
    lines[0] = this.#rest + (lines[0] ?? "");
    this.#rest = bounded(lines.pop() ?? "");
    return lines.map((line) => this.#line(line)).join("");
  }

  end(): string {
    const whole = this.#isWhole ? objectIn(this.#rest) : undefined;
    const last = whole ? this.#chunk(whole) : this.#line(this.#rest);
    const isCut = this.#rest !== "" && "data: ".startsWith(this.#rest);
    this.#isBroken ||= isCut || this.#torn !== "" || (this.#isWhole === true && !whole);
    return this.isDone || this.#isBroken ? last : last + this.#missingReason();
  }

  #line(line: string): string {
    if (line === "") return this.#endEvent();
    // llama.cpp names the field of an error so, in place of an event's data.
    const failure = line.startsWith("error:") ? objectIn(line.slice(6)) : undefined;
    if (failure) return this.#chunk({ error: failure });
    const data = line.startsWith("data:") ? line.slice(line[5] === " " ? 6 : 5) : "";
    if (data === "") return "";
    if (data.trim() === "[DONE]") {
      this.isDone = true;
      return `${this.#missingReason()}data: [DONE]\n\n`;
    }
    const value = objectIn(data);
    if (value) return this.#chunk(value);
    this.#tornLines += 1;
    if (this.#tornLines > MAX_TORN_LINES) throw excessiveUpstreamError(`${MAX_TORN_LINES} lines that are no JSON`);
    this.#torn = bounded(this.#torn === "" ? data : `${this.#torn}\n${data}`);
    return "";
  }

  #endEvent(): string {
    if (this.#torn === "") return "";
    const value = this.#torn.includes("\n") ? objectIn(this.#torn) : undefined;
    this.#torn = "";
    this.#isBroken ||= !value;
    return value ? this.#chunk(value) : "";
  }

  #chunk(value: Json): string {
    const chunk = repairedChunk(value, "delta");
    const [choice] = (chunk.choices ?? []) as readonly Json[];
    if (isObject(choice?.delta)) {
      const { content, refusal, tool_calls: calls } = choice.delta;
      this.#hasCalls ||= calls !== undefined;
      this.#hasContent ||= Boolean(content) || Boolean(refusal) || calls !== undefined;
    }
    this.#hasReason ||= Boolean(choice?.finish_reason) || "error" in chunk;
    return eventOf(chunk);
  }

  #missingReason(): string {
    if (this.#hasReason || !this.#hasContent) return "";
    return eventOf({ choices: [{ delta: {}, finish_reason: this.#hasCalls ? "tool_calls" : "stop" }] });
  }
}

function eventOf(chunk: Json): string {
  const json = JSON.stringify(chunk);
  if (json.length > MAX_CHUNK_CHARS) throw excessiveUpstreamError(`${MAX_CHUNK_CHARS} characters in one chunk`);
  return `data: ${json}\n\n`;
}

function bounded(text: string): string {
  if (text.length > MAX_CHARS) throw excessiveUpstreamError(`${MAX_CHARS} characters without an end`);
  return text;
}
