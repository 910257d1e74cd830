import { describe, expect, it } from "vitest";
import { createLog, logLines } from "./log.ts";

describe("createLog", () => {
  it("writes one JSON object per line, with the name of the level", () => {
    const { log, lines } = collected("info");
    log.info({ route: "/healthz", status: 200 }, "request");
    log.debug({}, "not this one");
    const [line = ""] = lines;
    expect(lines).toHaveLength(1);
    expect(JSON.parse(line)).toEqual({
      level: "info",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown,
      route: "/healthz",
      status: 200,
      msg: "request",
    });
  });

  it("logs the name, message and stack of an error, and nothing that a provider has attached", () => {
    const { log, lines } = collected("info");
    const error = Object.assign(new Error("429"), { requestBodyValues: { messages: ["a private question"] } });
    log.warn({ error, err: error }, "failed");
    expect(lines.join("")).toContain("429");
    expect(lines.join("")).not.toContain("private question");
  });

  it("replaces a secret anywhere in a line", () => {
    const { log, lines } = collected("info", ["sk-hunter2", 'a "quoted" secret', "ollama"]);
    const error = new Error('Incorrect API key provided: Bearer sk-hunter2, or a "quoted" secret of ollama');
    log.warn({ error, cause: { message: "sk-hunter2" } }, "run failed for sk-hunter2");
    expect(lines.join("")).not.toMatch(/hunter2|quoted/);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      error: { message: "Incorrect API key provided: Bearer [secret], or [secret] of ollama" },
      cause: { message: "[secret]" },
      msg: "run failed for [secret]",
    });
  });
});

describe("logLines", () => {
  it("formats a line for a terminal", () => {
    const written: string[] = [];
    const log = createLog("info", logLines({ write: (text) => written.push(text) }));
    log.info({ method: "GET", route: "/healthz", ms: 1 }, "request");
    log.error({ error: { name: "Error", message: "no space left" } }, "a run broke off");
    expect(written.map((line) => line.replace(/^\d\d:\d\d:\d\d/, "10:42:07"))).toEqual([
      "10:42:07  request  method=GET route=/healthz ms=1\n",
      '10:42:07  ERROR a run broke off  error="no space left"\n',
    ]);
  });
});

function collected(level: Parameters<typeof createLog>[0], secrets: readonly string[] = []) {
  const lines: string[] = [];
  return { lines, log: createLog(level, { write: (line) => lines.push(line) }, secrets) };
}
