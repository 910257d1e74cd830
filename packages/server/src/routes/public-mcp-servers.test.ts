import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LLMock } from "@copilotkit/aimock";
import { afterAll, expect, it } from "vitest";
import { tap } from "../contract/server.contract.ts";
import { threadOpener } from "../contract/thread.contract.ts";
import { createMcpTools } from "../model/mcp/mcp-tools.ts";
import { createOpenAiCompatibleModel } from "../model/openai-compatible.ts";
import { serverTool } from "../model/steps/tool-calls.ts";
import { startEverything, startMemory } from "./public-mcp-server.contract.ts";

const { openThread } = threadOpener();
const folder = mkdtempSync(join(tmpdir(), "nitka-mcp-"));
const stops: (() => unknown)[] = [() => rmSync(folder, { recursive: true })];

afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
});

const cup = { name: "cup", entityType: "thing", observations: ["blue"] };

/** The arguments for each tool of the servers, in the order of the calls. */
const calls: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  everything: {
    echo: { message: "hello" },
    "get-annotated-message": { messageType: "success", includeImage: true },
    "get-env": {},
    "get-resource-links": { count: 2 },
    "get-resource-reference": { resourceType: "Blob", resourceId: 1 },
    "get-structured-content": { location: "Chicago" },
    "get-sum": { a: 2, b: 3 },
    "get-tiny-image": {},
    "gzip-file-as-resource": { name: "a.gz", data: "data:text/plain,hello", outputType: "resource" },
    "trigger-long-running-operation": { duration: 1, steps: 4 },
    "toggle-subscriber-updates": {},
    "toggle-simulated-logging": {},
  },
  memory: {
    create_entities: { entities: [cup, { ...cup, name: "shelf" }] },
    create_relations: { relations: [{ from: "cup", to: "shelf", relationType: "stands on" }] },
    add_observations: { observations: [{ entityName: "cup", contents: ["small"] }] },
    read_graph: {},
    search_nodes: { query: "blue" },
    open_nodes: { names: ["cup"] },
    delete_observations: { deletions: [{ entityName: "cup", observations: ["small"] }] },
    delete_relations: { relations: [{ from: "cup", to: "shelf", relationType: "stands on" }] },
    delete_entities: { entityNames: ["cup"] },
  },
};

/** The test asks faster than a visitor may. */
const limits = {
  messagesPerMinute: null,
  threadsPerMinute: null,
  addressMessagesPerMinute: null,
  requestsPerMinute: null,
};

/** The pages that contain the table, with their translations of the English words. */
const pages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "mcp.md": {},
  "ru/mcp.md": {
    "the model gets": "получает модель",
    "the visitor gets": "получает посетитель",
    asks: "спрашивает",
    name: "имя",
    "the picture behind it": "за ним картинка",
    "a sentence for the file": "вместо файла фраза",
    " by address": " по адресу",
    " below": " ниже",
  },
};

interface Part {
  readonly type: string;
  readonly isError?: boolean;
  readonly result?: string | { readonly content: readonly { readonly type: string; readonly url?: string }[] };
}

interface Sent {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

// With NITKA_WRITE_DOCS=1 the test writes the table instead of comparing it; `npm run format` then aligns it.
it("The table in docs/mcp.md and docs/ru/mcp.md shows what the model and the visitor get from each tool of two public servers", async () => {
  const [everything, memory] = [await startEverything(), await startMemory(join(folder, "memory.json"))];
  const servers = {
    everything: { type: "http", url: everything.url },
    memory: { type: "http", url: memory.url },
  } as const;
  const tools = createMcpTools({ servers, onError: () => undefined });
  stops.push(everything.stop, memory.stop, () => tools.close());
  const listed = await tools.list();
  for (const [server, names = []] of Object.entries(listed)) {
    expect(Object.keys(calls[server] ?? {}).toSorted()).toEqual([...names].toSorted());
  }
  const opened = (await tools.open(new AbortController().signal)).tools;
  const upstream = new LLMock({ port: 0 });
  await upstream.start();
  stops.push(() => upstream.stop());
  upstream.on({ predicate: ({ messages }) => messages.some(({ role }) => role === "tool") }, { content: "Done" });
  const model = createOpenAiCompatibleModel({ model: "m", baseUrl: upstream.url, openTools: tools.open });
  const { client } = await openThread({ model, project: { approve: ["!*"], limits } });

  const rows: string[][] = [
    ["tool", "asks", "the model gets", "the visitor gets"],
    ["-", "-", "-", "-"],
  ];
  for (const [server, ofServer] of Object.entries(calls)) {
    for (const [tool, args] of Object.entries(ofServer)) {
      const name = `${server}_${tool}`;
      upstream.onMessage(`call ${name}`, { toolCalls: [{ id: name, name, arguments: JSON.stringify(args) }] });
      const threadId = await client.newThread();
      const stream = tap(await client.ask(threadId, { id: name, content: `call ${name}` }));
      await stream.done;
      const history = await client.messages(threadId);
      expect(stream.text() + JSON.stringify(history)).not.toContain(";base64,");
      const told = (upstream.getRequests() as readonly { body: unknown }[])
        .map(({ body }) => (body as Sent).messages)
        .findLast((messages) => messages.some(({ role }) => role === "tool"));
      const asks = serverTool(name, opened[name] ?? {}).destructive ? "✓" : "";
      rows.push([`\`${name}\``, asks, toldOf(told ?? []), shownOf(history.at(-1)?.content as readonly Part[])]);
    }
  }
  for (const [page, words] of Object.entries(pages))
    compare(
      page,
      rows.map((cells) => cells.map(wordsIn(words))),
    );
});

function wordsIn(words: Readonly<Record<string, string>>) {
  return (cell: string) => Object.entries(words).reduce((text, [word, its]) => text.replaceAll(word, its), cell);
}

function compare(page: string, rows: readonly (readonly string[])[]): void {
  const file = new URL(`../../../../docs/${page}`, import.meta.url);
  const text = readFileSync(file, "utf8");
  const [before = "", table = "", after = ""] = text.split(/<!-- (?:table|end of the table) -->\n/);
  const made = `\n${rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n\n`;
  const writes = process.env["NITKA_WRITE_DOCS"] === "1";
  if (writes) writeFileSync(file, `${before}<!-- table -->\n${made}<!-- end of the table -->\n${after}`);
  expect(plain(writes ? made : table)).toBe(plain(made));
}

function toldOf(messages: Sent["messages"]): string {
  const result = messages.findLast(({ role }) => role === "tool")?.content;
  const behind = messages.at(-1)?.role === "user" ? JSON.stringify(messages.at(-1)?.content) : "";
  const kinds = [
    typeof result === "string" && result !== "" ? "text" : "nothing",
    ...(behind.includes("data:image/") ? ["the picture behind it"] : []),
    ...(String(result).includes("The model cannot read") || String(result).includes("The file was left out")
      ? ["a sentence for the file"]
      : []),
  ];
  return kinds.join(", ");
}

function shownOf(parts: readonly Part[]): string {
  const call = parts.find(({ type }) => type === "tool-call");
  const content = typeof call?.result === "object" ? call.result.content : undefined;
  const kinds = content?.map(({ type, url }) => (url?.includes("attachments/") ? `${type} by address` : type)) ?? [
    "text",
  ];
  const files = parts
    .filter(({ type }) => ["image", "audio", "file"].includes(type))
    .map(({ type }) => `${type} below`);
  return [...(call?.isError ? ["an error"] : kinds), ...files].join(", ");
}

/** A table without the spaces and dashes that align it. */
function plain(table: string): string {
  return table.replaceAll(/-+/g, "-").replaceAll(/ +/g, " ").trim();
}
