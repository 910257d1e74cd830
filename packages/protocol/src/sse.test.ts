import { describe, expect, it } from "vitest";
import { createSseDecoder, encodeSse } from "./sse.ts";

describe("createSseDecoder", () => {
  it("returns an event at its blank line and not earlier", () => {
    const push = createSseDecoder();
    expect(push("data: a\n")).toEqual([]);
    expect(push("\n")).toEqual([{ data: "a" }]);
  });

  it.each(["\n", "\r\n", "\r"])("ends lines at %j", (end) => {
    expect(createSseDecoder()(["data: a", "", "data: b", "", ""].join(end))).toEqual([{ data: "a" }, { data: "b" }]);
  });

  it("reads a CRLF that is split between pieces as one line end", () => {
    const push = createSseDecoder();
    expect(push("data: a\r")).toEqual([]);
    expect(push("")).toEqual([]);
    expect(push("\ndata: b\r")).toEqual([]);
    expect(push("\n\r")).toEqual([{ data: "a\nb" }]);
    expect(push("\ndata: c\n\n")).toEqual([{ data: "c" }]);
  });

  it("joins the data lines of an event", () => {
    expect(createSseDecoder()("data: a\ndata:b\ndata:  c\ndata\n\n")).toEqual([{ data: "a\nb\n c\n" }]);
  });

  it("skips comments, other fields and events without data", () => {
    expect(createSseDecoder()(": hello\nevent: x\nretry: 5\ndatum: no\n\nid: 3\n\n")).toEqual([]);
  });

  it("keeps the last id for later events without one", () => {
    expect(createSseDecoder()("id: 7\ndata: a\n\ndata: b\n\nid:8\ndata: c\n\n")).toEqual([
      { data: "a", id: "7" },
      { data: "b", id: "7" },
      { data: "c", id: "8" },
    ]);
  });

  it("keeps colons, spaces and Unicode line separators in the data", () => {
    const data = '{"a": "b:c  ",\t"\u2028": "\u0085"}';
    expect(createSseDecoder()(`data: ${data}\n\n`)).toEqual([{ data }]);
  });
});

describe("encodeSse", () => {
  it("writes one data line", () => {
    expect(encodeSse('{"type":"start"}')).toBe('data: {"type":"start"}\n\n');
  });

  it("writes an id line before it when there is an id", () => {
    expect(encodeSse("[DONE]", "r:12")).toBe("id: r:12\ndata: [DONE]\n\n");
  });

  it("writes what the decoder reads", () => {
    expect(createSseDecoder()(encodeSse("x", "r:1") + encodeSse("y", "r:2"))).toEqual([
      { data: "x", id: "r:1" },
      { data: "y", id: "r:2" },
    ]);
  });
});
