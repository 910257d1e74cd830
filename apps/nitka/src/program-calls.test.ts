import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { json, newVisitor, programOpener } from "./program.contract.ts";

const { start, run, dataFolder } = programOpener();

/** The demo shop's tools and context, as its page declares them. */
const shop = {
  tools: [{ name: "add_to_basket", description: "Adds goods to the basket", parameters: { type: "object" } }],
  pageContext: {
    currency: "RUB",
    delivery: { price: 400, freeFrom: 6000 },
    goods: [{ sku: "blue-mug", title: "Кружка «Иней»", price: 1450, stock: 7 }],
    basket: { lines: [], goods: 0, delivery: 0, total: 0 },
  },
};

function writeProjects(config: string, more: object): void {
  writeFileSync(config, JSON.stringify({ projects: { default: { approve: ["get_weather"], ...more } } }));
}

/** The program, with a visitor whose question has led to a waiting tool call. */
async function openWaiting(content: string, page: object = {}) {
  const config = join(dataFolder(), "projects.json");
  writeProjects(config, {});
  const env = { NITKA_CONFIG: config, NITKA_SECRET: "a secret of sixteen letters" };
  const program = await start(env);
  const visitor = await newVisitor(program.url);
  const thread = await visitor.newThread();
  const messages = [{ id: "q1", role: "user", content }];
  const response = await visitor.call(`/${thread}/run/stream`, json({ messages, ...page }));
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  /** Reads the stream until it contains these words; without words, to its end. */
  const until = async (words?: string) => {
    for (;;) {
      if (words !== undefined && text.includes(words)) return text;
      const next = await reader?.read();
      if (next?.done !== false) return text;
      text += next.value;
    }
  };
  const waiting = await until(page === shop ? "data-tool-request" : "tool-approval-request");
  const toolCallId = /"toolCallId":"([^"]+)"/.exec(waiting)?.[1] ?? "";
  const answerAt = async (url: string, body: object) =>
    (await visitor.at(url).call(`/${thread}/run/tool`, json({ toolCallId, ...body }))).status;
  return { program, env, visitor, thread, until, answerAt };
}

describe("A tool call that waits for the visitor", () => {
  it.each([
    ["an approval", "Какая погода в Казани?", {}, { approved: true }],
    ["a tool of the page", "Положи кружку в корзину", shop, { output: 1 }],
  ])("is interrupted with its answer when the process is killed: %s", async (_, content, page, body) => {
    const { program, env, visitor, thread, until, answerAt } = await openWaiting(content, page);
    await program.end("SIGKILL");
    await until().catch(() => undefined);
    // The next question reaches the model with the unanswered one, so the model asks for the approval again.
    writeProjects(env.NITKA_CONFIG, { limits: { toolWaitMs: 1 } });
    const { url } = await start(env);
    const last = (await visitor.at(url).messages(thread)).at(-1);
    expect(last?.status).toEqual({ type: "incomplete", reason: "interrupted" });
    expect(await answerAt(url, body)).toBe(404);
    expect(await visitor.at(url).send(thread, "Привет!")).toContain('"type":"finish"');
  });

  it("continues with the visitor's and the page's answers, and is in the export", async () => {
    const { program, env, visitor, until, answerAt } = await openWaiting("Какая погода в Казани?");
    expect(await answerAt(program.url, { output: 1 })).toBe(422);
    expect(await answerAt(program.url, { approved: false, reason: "Посмотрю в окно" })).toBe(200);
    expect(await answerAt(program.url, { approved: true })).toBe(409);
    expect(await until()).toMatch(/"tool-output-denied".*"type":"finish"/s);
    const exported = await run(["export", "--visitor", visitor.id], env);
    const { threads } = JSON.parse(exported.stdout) as { threads: readonly { approvals: readonly object[] }[] };
    expect(threads[0]?.approvals).toMatchObject([
      { toolName: "get_weather", decision: "denied", reason: "Посмотрю в окно", by: visitor.id },
    ]);
  });

  it("of the page answers the model's question", async () => {
    const { program, until, answerAt } = await openWaiting("Put the mug into the basket", shop);
    expect(await answerAt(program.url, { claim: "page-1" })).toBe(200);
    expect(await answerAt(program.url, { claim: "page-2" })).toBe(409);
    expect(await answerAt(program.url, { output: { count: 3 } })).toBe(200);
    expect(await until()).toMatch(/"tool-output-available".*"count":3.*"type":"finish"/s);
  });
});
