import { describe, expect, it } from "vitest";
import { encodeSse, SseDecoder } from "./sse.ts";

describe("SseDecoder", () => {
  it("gives an event at its blank line and not before", () => {
    const decoder = new SseDecoder();
    expect(decoder.push("data: a\n")).toEqual([]);
    expect(decoder.push("\n")).toEqual([{ data: "a" }]);
  });

  it.each(["\n", "\r\n", "\r"])("takes %j for a line's end", (end) => {
    expect(new SseDecoder().push(["data: a", "", "data: b", "", ""].join(end))).toEqual([{ data: "a" }, { data: "b" }]);
  });

  it("takes a CRLF that was cut in two for one line's end", () => {
    const decoder = new SseDecoder();
    expect(decoder.push("data: a\r")).toEqual([]);
    expect(decoder.push("")).toEqual([]);
    expect(decoder.push("\ndata: b\r")).toEqual([]);
    expect(decoder.push("\n\r")).toEqual([{ data: "a\nb" }]);
    expect(decoder.push("\ndata: c\n\n")).toEqual([{ data: "c" }]);
  });

  it("joins the data lines of an event", () => {
    expect(new SseDecoder().push("data: a\ndata:b\ndata:  c\ndata\n\n")).toEqual([{ data: "a\nb\n c\n" }]);
  });

  it("skips comments, other fields and events without data", () => {
    expect(new SseDecoder().push(": hello\nevent: x\nretry: 5\ndatum: no\n\nid: 3\n\n")).toEqual([]);
  });

  it("remembers the last id for the events that name none", () => {
    expect(new SseDecoder().push("id: 7\ndata: a\n\ndata: b\n\nid:8\ndata: c\n\n")).toEqual([
      { data: "a", id: "7" },
      { data: "b", id: "7" },
      { data: "c", id: "8" },
    ]);
  });

  it("keeps what stands in the data: colons, spaces, separators of other alphabets", () => {
    const data = '{"a": "b:c  ",\t"\u2028": "\u0085"}';
    expect(new SseDecoder().push(`data: ${data}\n\n`)).toEqual([{ data }]);
  });
});

describe("encodeSse", () => {
  it("writes one data line", () => {
    expect(encodeSse('{"type":"start"}')).toBe('data: {"type":"start"}\n\n');
  });

  it("writes the number before it, where there is one", () => {
    expect(encodeSse("[DONE]", 12)).toBe("id: 12\ndata: [DONE]\n\n");
  });

  it("is what the decoder reads", () => {
    expect(new SseDecoder().push(encodeSse("x", 1) + encodeSse("y", 2))).toEqual([
      { data: "x", id: "1" },
      { data: "y", id: "2" },
    ]);
  });
});
