/** One event of a stream: its data and, where the server numbers its events, the number. */
export interface SseEvent {
  readonly data: string;
  readonly id?: string;
}

/**
 * Reads server-sent events from text in any pieces (HTML standard, section 9.2.6 «Interpreting an event stream»).
 * Line ends are LF, CR or CRLF, also a CRLF cut in two. Fed with strings, so that it is tested with strings.
 *
 * @example
 * const decoder = new SseDecoder();
 * decoder.push("id: 7\ndata: {}\n\n"); // [{ id: "7", data: "{}" }]
 */
export class SseDecoder {
  #rest = "";
  #data: string[] = [];
  #id: string | undefined;
  #afterCr = false;
  #started = false;

  /** The events that this piece completes. */
  push(text: string): SseEvent[] {
    const events: SseEvent[] = [];
    let piece = text;
    if (!this.#started && piece !== "") {
      this.#started = true;
      if (piece.startsWith("\uFEFF")) piece = piece.slice(1);
    }
    // A CR has already ended its line: the LF that follows it in the next piece ends nothing.
    if (this.#afterCr && piece !== "") {
      this.#afterCr = false;
      if (piece.startsWith("\n")) piece = piece.slice(1);
    }
    const lines = piece.split(/\r\n|\r|\n/);
    lines[0] = this.#rest + (lines[0] ?? "");
    this.#rest = lines.pop() ?? "";
    if (piece.endsWith("\r")) this.#afterCr = true;
    for (const line of lines) {
      const event = this.#line(line);
      if (event) events.push(event);
    }
    return events;
  }

  /** What the stream's end completes: a last event without its blank line, which lax backends leave out. */
  flush(): SseEvent[] {
    const rest = this.#rest;
    this.#rest = "";
    return [this.#line(rest), this.#line("")].flatMap((event) => event ?? []);
  }

  #line(line: string): SseEvent | undefined {
    if (line === "") {
      if (this.#data.length === 0) return undefined;
      const data = this.#data.join("\n");
      this.#data = [];
      return this.#id === undefined ? { data } : { data, id: this.#id };
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + (line[colon + 1] === " " ? 2 : 1));
    if (field === "data") this.#data.push(value);
    if (field === "id") this.#id = value;
    return undefined;
  }
}

/** The data line that ends a stream. */
export const DONE = "[DONE]";

/** One event as bytes on the wire. With a number it gets an `id:` line; every other line begins with `data:`. */
export function encodeSse(data: string, id?: number): string {
  return id === undefined ? `data: ${data}\n\n` : `id: ${id}\ndata: ${data}\n\n`;
}
