/** One event of a stream: its data and, where the server names its events, its id. */
export interface SseEvent {
  readonly data: string;
  readonly id?: string | undefined;
}

/**
 * Reads server-sent events from text in any pieces (HTML standard, section 9.2.6 «Interpreting an event stream»).
 * Line ends are LF, CR or CRLF, also a CRLF cut in two. Fed with strings, so that it is tested with strings; a byte
 * order mark is left to who decodes the bytes. At the stream's end push a blank line: lax backends leave it out.
 *
 * @returns takes the next piece, and gives the events that it completes
 *
 * @example
 * const push = createSseDecoder();
 * push("id: 7\ndata: {}\n\n"); // [{ id: "7", data: "{}" }]
 */
export function createSseDecoder(): (text: string) => SseEvent[] {
  const data: string[] = [];
  let id: string | undefined;
  let rest = "";
  let last = "";
  return (text) => {
    // A CR has already ended its line: the LF that follows it in the next piece ends nothing.
    const lines = (last === "\r" ? text.replace(/^\n/, "") : text).split(/\r\n?|\n/);
    last = text.at(-1) ?? last;
    lines[0] = rest + lines[0];
    rest = lines.pop() as string;
    return lines.flatMap((line) => {
      const [, field, value = ""] = /^(data|id)(?:: ?|$)(.*)/s.exec(line) ?? [];
      if (field === "data") data.push(value);
      if (field === "id") id = value;
      return line || data.length === 0 ? [] : { data: data.splice(0).join("\n"), id };
    });
  };
}

/** The data line that ends a stream. */
export const DONE = "[DONE]";

/** One event as text on the wire. With an id it gets an `id:` line; every other line begins with `data:`. */
export function encodeSse(data: string, id?: string): string {
  return id === undefined ? `data: ${data}\n\n` : `id: ${id}\ndata: ${data}\n\n`;
}
