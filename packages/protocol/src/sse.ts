/** One server-sent event: its data and, if the server sends ids, its id. */
export interface SseEvent {
  readonly data: string;
  readonly id?: string | undefined;
}

/**
 * Reads server-sent events from text that arrives in pieces (HTML standard, section 9.2.6 «Interpreting an event
 * stream»). Lines end with LF, CR or CRLF; a CRLF may be split between two pieces. Only the fields `data` and `id` are
 * read. An id also applies to later events, until the next id.
 *
 * The caller decodes the bytes and removes a byte order mark. An event counts only after its blank line: a caller that
 * wants the last event of a stream without one pushes "\n\n" at the end.
 *
 * @returns a function that takes the next piece and returns the events that it completes
 *
 * @example
 * const push = createSseDecoder();
 * push("id: 7\nda"); // []
 * push("ta: a\ndata: b\n\n: ping\n\n"); // [{ id: "7", data: "a\nb" }]
 */
export function createSseDecoder(): (text: string) => SseEvent[] {
  const data: string[] = [];
  let id: string | undefined;
  let openLine = "";
  let lastChar = "";
  return (text) => {
    // A CR at the end of the previous piece has already ended its line: an LF after it belongs to the same line end.
    const lines = (lastChar === "\r" ? text.replace(/^\n/, "") : text).split(/\r\n?|\n/);
    lastChar = text.at(-1) ?? lastChar;
    lines[0] = openLine + lines[0];
    openLine = lines.pop() as string;
    return lines.flatMap((line) => {
      const [, field, value = ""] = /^(data|id)(?:: ?|$)(.*)/s.exec(line) ?? [];
      if (field === "data") data.push(value);
      if (field === "id") id = value;
      return line || data.length === 0 ? [] : { data: data.splice(0).join("\n"), id };
    });
  };
}

/** The data that ends a stream of events. */
export const DONE = "[DONE]";

/**
 * One event as text.
 *
 * @param data must not contain line breaks; compact JSON never does
 *
 * @example encodeSse("{}", "r1:7") // "id: r1:7\ndata: {}\n\n"
 */
export function encodeSse(data: string, id?: string): string {
  return id === undefined ? `data: ${data}\n\n` : `id: ${id}\ndata: ${data}\n\n`;
}
