import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runInProcess } from "./command.contract.ts";

/** A service whose model searches with the question, and then answers with the text given here. */
const answers: Readonly<Record<string, string>> = {
  "Сколько идёт посылка?": "Посылка идёт 8 дней [1].",
  "Как вернуть деньги?": "За 45 дней [1], смотрите и [9].",
  "Кто ваш директор?": "На страницах об этом ничего нет: не знаю.",
};

describe("nitka eval", () => {
  let folder = "";
  let service: Server;
  let env: Readonly<Record<string, string>> = {};
  const run = (...args: readonly string[]) => runInProcess(env, "eval", ...args);
  const file = (...lines: readonly object[]) => {
    const path = join(folder, "questions.jsonl");
    writeFileSync(path, lines.map((line) => JSON.stringify(line)).join("\n"));
    return path;
  };

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "nitka-eval-"));
    mkdirSync(join(folder, "pages"));
    const page = (name: string, text: string) => writeFileSync(join(folder, "pages", name), text);
    page("delivery.md", "# Доставка\n\nПосылка идёт 8 дней.");
    page("returns.md", "# Возврат\n\nДеньги вернуть можно за 30 дней.");
    service = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += String(chunk)));
      request.on("end", () => {
        const { messages } = JSON.parse(body) as { messages: readonly { role: string; content: unknown }[] };
        const question = String(messages.findLast(({ role }) => role === "user")?.content);
        const asked = Object.keys(answers).find((each) => question.includes(each)) ?? "";
        const call = {
          index: 0,
          id: "c",
          function: { name: "search_site", arguments: JSON.stringify({ query: asked }) },
        };
        const isSearched = messages.at(-1)?.role === "tool";
        const delta = isSearched ? { content: answers[asked] } : { tool_calls: [call] };
        const usage = { prompt_tokens: 100, completion_tokens: 10 };
        const chunk = {
          id: "r",
          choices: [{ index: 0, delta, finish_reason: isSearched ? "stop" : "tool_calls" }],
          usage,
        };
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
      });
    });
    await new Promise<void>((resolve) => {
      service.listen(0, "127.0.0.1", resolve);
    });
    const { port } = service.address() as AddressInfo;
    const sources = [{ folder: "pages", url: "https://shop.example/" }];
    const prices = { "up:m": { input: 1, output: 10 } };
    const projects = { default: { knowledge: { sources }, model: "up:m", prices } };
    const providers = { up: { type: "openai-compatible", baseUrl: `http://127.0.0.1:${port}` } };
    writeFileSync(join(folder, "projects.json"), JSON.stringify({ providers, projects }));
    env = { NITKA_DATA: join(folder, "data"), NITKA_CONFIG: join(folder, "projects.json") };
    await runInProcess(env, "ingest");
  });
  afterEach(() => {
    service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("judges the search, and fails below the required share", async () => {
    const path = file(
      { question: "Сколько идёт посылка?", urls: ["https://shop.example/delivery.md"] },
      { question: "Как вернуть деньги?", urls: ["https://shop.example/delivery.md"] },
    );
    const { code, stdout } = await run(path, "--json", "--min", "0.6");
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      questions: 2,
      recallAt1: 0.5,
      recall: 0.5,
      meanReciprocalRank: 0.5,
      lines: [{ rank: 1 }, { rank: null }],
    });
    const again = await run(path, "--min", "0.5");
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(/✗ Как вернуть деньги\?: its page was not found\n +now +before\n/);
  });

  it("asks a model, and judges its citations, its numbers, and whether it admits what it does not know", async () => {
    const path = file(
      { question: "Сколько идёт посылка?", urls: ["https://shop.example/delivery.md"], phrases: ["8 дней"] },
      { question: "Как вернуть деньги?", urls: ["https://shop.example/returns.md"], phrases: ["30 дней"] },
      { question: "Кто ваш директор?", refuse: true },
    );
    const { code, stdout } = await run(path, "--model", "up:m", "--json", "--min", "0.7");
    expect(code).toBe(1);
    const report = JSON.parse(stdout) as { readonly lines: readonly object[] };
    expect(report).toMatchObject({ cited: 1, phrases: 0.5, refused: 1, tokens: 660, cost: expect.closeTo(0.0012, 6) });
    expect(report.lines).toMatchObject([
      { cited: true, phrases: true, sourced: true, numbers: true, passed: true },
      { cited: true, phrases: false, sourced: false, numbers: false, passed: false },
      { refused: true, passed: true },
    ]);
  });

  it.each([
    ["without a file", [], "Expected one file"],
    ["with a file that is not there", ["none.jsonl"], "none.jsonl cannot be read"],
    ["with a share above one", ["none.jsonl", "--min", "80"], '--min is "80": expected a share from 0 to 1.'],
  ])("refuses to run %s", async (_, args, problem) => {
    const { code, stderr } = await run(...args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(problem) });
  });

  it("names the line of an invalid question", async () => {
    const { code, stderr } = await run(file({ question: "Да?" }, { quesion: "Нет?" }));
    expect(code).toBe(2);
    expect(stderr).toContain("Line 2, question:");
  });
});
