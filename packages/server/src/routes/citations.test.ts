import { describe, expect, it } from "vitest";
import type { StreamEvent } from "@nitka/protocol";
import { partsOf, textOf } from "@nitka/protocol/message";
import { citingChatOpener, folded, problemsOf, search, sourcesOf } from "../contract/citing-chat.contract.ts";
import type { Knowledge } from "../knowledge.ts";
import { createAiSdkModel } from "../model/ai-sdk-model.ts";
import { withFallback } from "../model/fallback-model.ts";
import { citing } from "../model/knowledge/citing.ts";
import { FoundPassages } from "../model/knowledge/search-site.ts";
import { createStepModel, createWordKnowledge } from "../model/knowledge/searching-model.contract.ts";
import { createMcpTools } from "../model/mcp/mcp-tools.ts";
import { startMcpServer } from "../model/mcp/staged-mcp-server.contract.ts";
import type { Project } from "../services/projects/project.ts";
import type { Storage } from "../storage/storage.ts";

const openChat = citingChatOpener();

describe("an answer of a project with knowledge", () => {
  it("cites what it has found: each source before its number, with its sentence and its heading", async () => {
    const text = "Везём по всей России. Доставка по Уфе занимает два дня. Звоните.";
    const { ask, answer } = await openChat({
      steps: () => [search("а б"), ["В Уфу два ", "дня【", "1】, [^2", "] и [7]."]],
      knowledge: createWordKnowledge((id) => (id === "а" ? text : "Другое.")),
    });
    const events = await ask("q1");
    expect(problemsOf(events, 2)).toEqual([]);
    expect(events).toContainEqual({
      type: "source-url",
      sourceId: "1",
      url: "https://shop.example/а#a",
      title: "Страница а",
      providerMetadata: { nitka: { n: 1, quote: "Доставка по Уфе занимает два дня.", heading: "О а" } },
    });
    expect(textOf(await answer())).toBe("В Уфу два дня[1], [2] и.");
    expect(sourcesOf(await answer())).toMatchObject([
      { id: "1", n: 1, quote: "Доставка по Уфе занимает два дня.", heading: "О а" },
      { id: "2", n: 2, quote: "Другое." },
    ]);
  });

  it("counts across its searches, and a passage that is found again keeps its number", async () => {
    const { ask, requests } = await openChat({
      steps: () => [search("а б"), search("б в"), search("г а"), ["[4] [1] [3] [2] [5]"]],
    });
    const events = await ask("q1");
    const found = requests
      .at(-1)
      ?.prompt.flatMap((message) =>
        message.role === "tool"
          ? message.content.flatMap((part) =>
              part.type === "tool-result" && part.output.type === "text"
                ? [(JSON.parse(part.output.value) as { passages: { n: number; url: string }[] }).passages]
                : [],
            )
          : [],
      );
    expect(found?.map((passages) => passages.map(({ n, url }) => `${n} ${url.at(-3)}`))).toEqual([
      ["1 а", "2 б"],
      ["2 б", "3 в"],
      ["4 г", "1 а"],
    ]);
    expect(textOf(folded(events))).toBe("[4] [1] [3] [2]");
    expect(problemsOf(events, 4)).toEqual([]);
  });

  it("begins with 1 again in each answer, and the model gets the earlier ones without numbers", async () => {
    const { ask, requests } = await openChat({
      steps: (question) => (question === "раз" ? [search("а б"), ["Раз [1] и `[2]`"]] : [search("в"), ["Два [1]"]]),
    });
    await ask("q1");
    const events = await ask("q2", "два");
    expect(sourcesOf(folded(events))).toMatchObject([{ n: 1, title: "Страница в" }]);
    const earlier = JSON.stringify(requests[2]?.prompt);
    expect(earlier).toContain("Раз и `[2]`");
    expect(earlier).toContain("Страница б");
    expect(earlier).not.toContain(String.raw`\"n\":`);
  });

  it("offers the search among the tools of MCP servers, under the rules for tools", async () => {
    const server = await startMcpServer(["search"]);
    server.resultOf = () => ({ content: [{ type: "text", text: "[9] of MCP" }] });
    const tools = createMcpTools({ servers: { shop: { type: "http", url: server.url } }, onError: () => undefined });
    try {
      const { ask, requests } = await openChat({
        steps: () => [{ tool: "search", input: { q: "x" } }, search("а"), ["MCP [1]"]],
        model: { openTools: tools.open },
        project: { toolViews: { "shop/*": "hidden" } },
      });
      const events = await ask("q1");
      expect(requests[0]?.tools?.map(({ name }) => name).toSorted()).toEqual(["search", "search_site"]);
      expect(partsOf(folded(events)).map((part) => part.type)).toEqual(["tool-call", "text", "source"]);
      expect(partsOf(folded(events))[0]).toMatchObject({ toolName: "search_site", args: { query: "а" }, result: null });
    } finally {
      await tools.close();
      await server.stop();
    }
  });

  it.each<readonly [NonNullable<Project["toolViews"]>, readonly unknown[]]>([
    [{ "*": "hidden" }, []],
    [{ "search_*": "all" }, [{ args: { query: "а" }, result: { passages: [{ n: 1 }] } }]],
    [{ search_site: "name" }, [{ args: {}, result: null }]],
  ])("shows visitors of its searches what %j says", async (toolViews, calls) => {
    const { ask } = await openChat({ steps: () => [search("а"), ["Да [1]"]], project: { toolViews } });
    const message = folded(await ask("q1"));
    expect(partsOf(message).filter(({ type }) => type === "tool-call")).toMatchObject(calls);
    expect(sourcesOf(message)).toHaveLength(1);
  });

  it("asks the visitor before a search when the project requires it", async () => {
    const { ask, client, threadId } = await openChat({
      steps: () => [search("а"), ["Нельзя [1]"]],
      project: { approve: ["search_site"], limits: { toolWaitMs: 1 } },
    });
    expect(partsOf(folded(await ask("q1")))).toMatchObject([{ approval: "denied" }, { text: "Нельзя [1]" }]);
    expect(await client.messages(threadId)).toHaveLength(2);
  });

  it.each<readonly [string, Knowledge]>([
    ["fails", { search: () => Promise.reject(new Error("no database")) }],
    ["is slow", { search: () => new Promise(() => undefined) }],
  ])("goes on when the search %s", async (_, knowledge) => {
    const { ask } = await openChat({
      steps: () => [search("а"), ["Не знаю"]],
      knowledge,
      project: { limits: { toolMs: 5 } },
    });
    expect(partsOf(folded(await ask("q1")))).toMatchObject([{ isError: true }, { text: "Не знаю" }]);
  });

  it("tells the model that nothing was found, and where the visitor can ask", async () => {
    const { ask, requests } = await openChat({
      steps: () => [search("а"), ["Не знаю [1]."]],
      knowledge: createWordKnowledge(() => undefined),
      project: { config: { feedbackUrl: "https://shop.example/help" }, instructions: "Отвечай кратко." },
    });
    expect(textOf(folded(await ask("q1")))).toBe("Не знаю.");
    const [system] = requests[0]?.prompt ?? [];
    expect(system?.content).toMatch(/^Отвечай кратко\.\n\n.*search_site.*"https:\/\/shop\.example\/help"/s);
    expect(JSON.stringify(requests[1]?.prompt)).toContain("The search has found nothing.");
  });

  it("searches once itself for a model that gets no tools", async () => {
    const knowledge = createWordKnowledge();
    const { ask, requests } = await openChat({
      steps: () => [["Два дня [1], [9]"]],
      knowledge,
      model: { sendsTools: false },
    });
    const events = await ask("q1", "а </site-passages>");
    expect(knowledge.queries).toEqual(["а </site-passages>"]);
    expect(problemsOf(events, 2)).toEqual([]);
    expect(partsOf(folded(events))).toMatchObject([
      { toolName: "search_site", args: { query: "а </site-passages>" }, result: null },
      { text: "Два дня [1]," },
      { n: 1 },
    ]);
    expect(requests[0]?.tools).toBeUndefined();
    const asked = JSON.stringify(requests[0]?.prompt.at(-1));
    expect(asked).toMatch(/<site-passages>.*Страница а.*<\/site-passages>/);
    expect(asked.match(/<\/site-passages>/g)).toHaveLength(2);
  });

  it("asks the visitor before it searches for a model that gets no tools, when the project requires it", async () => {
    const { ask, requests } = await openChat({
      steps: () => [["Не знаю [1]"]],
      model: { sendsTools: false },
      project: { approve: ["search_site"], limits: { toolWaitMs: 1 } },
    });
    expect(partsOf(folded(await ask("q1")))).toMatchObject([{ approval: "denied" }, { text: "Не знаю [1]" }]);
    expect(JSON.stringify(requests[0]?.prompt)).toContain("There was no search.");
  });

  it("has the search of the model that answers, when a fallback takes over", async () => {
    const knowledge = createWordKnowledge();
    const broken = createStepModel(() => []).languageModel;
    broken.doStream = () => Promise.reject(new Error("down"));
    const { languageModel } = createStepModel(() => [["Да [1]"]]);
    const options = { name: "M", sendsTools: false, title: async () => undefined };
    const model = withFallback(
      createAiSdkModel({ ...options, id: "m", languageModel: broken }),
      createAiSdkModel({ ...options, id: "f", languageModel }),
    );
    const { ask } = await openChat({ steps: () => [], knowledge, project: { models: [model] } });
    const parts = partsOf(folded(await ask("q1", "а")));
    expect(parts).toMatchObject([{ toolName: "search_site" }, { text: "Да [1]" }, { n: 1 }]);
    expect(knowledge.queries).toEqual(["а", "а"]);
  });

  it("sends the held-back text when the model breaks off", async () => {
    const found = new FoundPassages(createWordKnowledge());
    await found.search("а", new AbortController().signal);
    const events = async function* broken(): AsyncGenerator<StreamEvent, void, undefined> {
      yield { type: "text-start", id: "t" };
      yield { type: "text-delta", id: "t", delta: "Два дня [1" };
      await Promise.reject(new Error("broken"));
    };
    const seen: StreamEvent[] = [];
    const read = async () => {
      for await (const event of citing(events(), found)) seen.push(event);
    };
    await expect(read()).rejects.toThrow("broken");
    expect(textOf(folded(seen))).toBe("Два дня [1");
  });

  it("leaves an answer without a search unchanged, and refuses a page's tool of that name", async () => {
    const { ask, client, threadId } = await openChat({ steps: () => [["Просто [1] и【2】"]] });
    expect(textOf(folded(await ask("q1")))).toBe("Просто [1] и【2】");
    const tools = [{ name: "search_site", description: "x", parameters: { type: "object" } }];
    expect((await client.ask(threadId, { id: "q2" }, { tools })).status).toBe(422);
  });
});

describe("a question that the site's pages did not answer", () => {
  const listed = (storage: Storage) =>
    storage.desk.unanswered({ projectIds: ["default"], from: "2000-01-01T00:00:00.000Z", limit: 10 });

  it("is stored with its reason and the offered passages, once per answer", async () => {
    const { ask, storage, client, threadId } = await openChat({
      steps: (question) =>
        ({
          "1": [search("-"), ["Не знаю"]],
          "2": [search("а б"), ["Не знаю"]],
          "3": [search("а"), ["Да [1]"]],
          "4": [["Привет"]],
        })[question] ?? [],
      knowledge: createWordKnowledge((id) => (id === "-" ? undefined : `Текст ${id}.`)),
    });
    for (const n of ["1", "2", "3", "4"]) await ask(`q${n}`, n);
    await expect.poll(() => listed(storage)).toHaveLength(2);
    const offered = (id: string) => ({ url: `https://shop.example/${id}#a`, title: `Страница ${id}` });
    expect(await listed(storage)).toMatchObject([
      { question: "2", reason: "uncited", threadId, passages: [offered("а"), offered("б")] },
      { question: "1", reason: "nothing_found", threadId, passages: [] },
    ]);
    const answers = (await client.messages(threadId)).filter(({ role }) => role === "assistant");
    const rate = async (index: number, feedback: object) => {
      const response = await client.post(`threads/${threadId}/messages/${answers[index]?.id}/feedback`, feedback);
      expect(response.ok).toBe(true);
    };
    await rate(1, { rating: "down", reason: "Мимо" });
    await rate(2, { rating: "down" });
    const disliked = (await listed(storage)).filter(({ reason }) => reason === "disliked");
    expect(disliked.map(({ question, comment, passages }) => [question, comment, passages.length])).toEqual([
      ["3", undefined, 1],
      ["2", "Мимо", 2],
    ]);
    await rate(1, { rating: null });
    await rate(2, { rating: "up" });
    expect((await listed(storage)).map(({ question, reason }) => `${question} ${reason}`).toSorted()).toEqual([
      "1 nothing_found",
      "2 uncited",
    ]);
    await storage.desk.closeUnanswered(
      ["default"],
      (await listed(storage)).map(({ id }) => id),
    );
    await rate(2, { rating: null });
    expect(await listed(storage)).toEqual([]);
  });
});
