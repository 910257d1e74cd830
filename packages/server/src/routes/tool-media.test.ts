import { LLMock } from "@copilotkit/aimock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tap } from "../contract/server.contract.ts";
import { threadOpener } from "../contract/thread.contract.ts";
import { createAnthropicModel } from "../model/anthropic.ts";
import { createMcpTools } from "../model/mcp/mcp-tools.ts";
import type { McpTools } from "../model/mcp/mcp-tools.ts";
import { startMcpServer } from "../model/mcp/staged-mcp-server.contract.ts";
import type { StagedMcpServer } from "../model/mcp/staged-mcp-server.contract.ts";
import { createOpenAiCompatibleModel } from "../model/openai-compatible.ts";
import type { ProviderModelOptions } from "../model/provider-model.ts";
import type { Project } from "../services/projects/project.ts";

const { openThread } = threadOpener();
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const GIF = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";
const LEFT_OUT = "The file was left out: the model cannot read it.";

const picture = { type: "image", mimeType: "image/png", data: PNG };
const blob = { type: "resource", resource: { uri: "file:///a.gif", mimeType: "image/gif", blob: GIF } };
const sound = { type: "audio", mimeType: "audio/wav", data: WAV };
const text = { type: "text", text: "Two cups" };

let mcp: StagedMcpServer;
let upstream: LLMock;
let tools: McpTools;

beforeEach(async () => {
  mcp = await startMcpServer(["photo"]);
  tools = createMcpTools({ servers: { shop: { type: "http", url: mcp.url } }, onError: () => undefined });
  upstream = new LLMock({ port: 0 });
  await upstream.start();
  upstream.on({ predicate: ({ messages }) => messages.some(({ role }) => role === "tool") }, { content: "Вот" });
  upstream.on({ predicate: () => true }, { toolCalls: [{ id: "c1", name: "photo", arguments: "{}" }] });
});

afterEach(async () => {
  await tools.close();
  await mcp.stop();
  await upstream.stop();
});

interface Sent {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

async function asking(
  content: readonly object[],
  project: Partial<Project> = {},
  options: Partial<ProviderModelOptions> = {},
  isError = false,
) {
  mcp.resultOf = () => ({ content, isError });
  const model = createOpenAiCompatibleModel({ model: "m", baseUrl: upstream.url, openTools: tools.open, ...options });
  const { client, threadId } = await openThread({ model, project });
  const asked = tap(await client.ask(threadId, { id: "q1" }));
  await asked.done;
  const told = () => (upstream.getRequests() as readonly { body: unknown }[]).map(({ body }) => body as Sent);
  return { client, threadId, stream: asked.text(), told };
}

describe("images, audio and blobs that a tool returns", () => {
  it("are files of the thread, which visitors get by address and models as far as they read them", async () => {
    const { client, threadId, stream, told } = await asking([text, picture, blob, sound]);
    const history = await client.messages(threadId);
    expect(stream + JSON.stringify(history)).not.toContain("base64");
    expect(stream + JSON.stringify(history)).not.toMatch(
      new RegExp([PNG, GIF, WAV].join("|").replaceAll(/[+]/g, "[+]")),
    );
    const parts = history.at(-1)?.content as readonly { type: string; result?: { content: { url?: string }[] } }[];
    expect(parts.map(({ type }) => type)).toEqual(["tool-call", "image", "image", "audio", "text"]);
    const [call] = parts;
    expect(call?.result?.content).toEqual([
      text,
      { type: "image", mimeType: "image/png", url: expect.stringContaining("attachments/") },
      { type: "file", mimeType: "image/gif", uri: "file:///a.gif", url: expect.stringContaining("attachments/") },
      { type: "audio", mimeType: "audio/wav", url: expect.stringContaining("attachments/") },
    ]);
    const shown = await client.get(`/${call?.result?.content[1]?.url}`);
    expect(Buffer.from(await shown.arrayBuffer()).toString("base64")).toBe(PNG);

    const second = told()[1]?.messages ?? [];
    expect(second.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant", "user"]);
    const result = String(second[2]?.content);
    expect(result).toContain("Two cups");
    expect(result).toContain(LEFT_OUT);
    expect(result).not.toContain(PNG);
    const behind = JSON.stringify(second[4]?.content);
    expect(behind).toContain("What the tool photo gave");
    expect(behind).toContain(`data:image/png;base64,${PNG}`);
    expect(behind).toContain(`data:image/gif;base64,${GIF}`);
    expect(behind).not.toContain(WAV);
  });

  it("are sent with later questions too, from the thread's files", async () => {
    const { client, threadId, told } = await asking([picture]);
    const before = told().length;
    await tap(
      await client.ask(threadId, {
        id: "q2",
        content: "А ещё?",
        parentId: (await client.messages(threadId)).at(-1)?.id,
      }),
    ).done;
    const later = told()[before]?.messages.at(-1);
    expect(later?.role).toBe("user");
    expect(JSON.stringify(later?.content)).toContain(`data:image/png;base64,${PNG}`);
    expect(JSON.stringify(later?.content)).toContain("А ещё?");
    expect(JSON.stringify(told()[before]?.messages.slice(0, -1))).not.toContain(PNG);
  });

  it("are one sentence each for a model that reads none", async () => {
    const { told, stream } = await asking([text, picture, sound], {}, { input: [] });
    const second = told()[1]?.messages ?? [];
    expect(second.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    expect(String(second[2]?.content).split(LEFT_OUT)).toHaveLength(3);
    expect(stream).toContain('"type":"file"');
  });

  it.each(["args", "name", "hidden"] as const)("do not leave the server when the view is %s", async (view) => {
    const { client, threadId, stream, told } = await asking([picture], { toolViews: { "shop/photo": view } });
    expect(stream + JSON.stringify(await client.messages(threadId))).not.toContain("attachments/");
    expect(JSON.stringify(told()[1])).toContain(PNG);
  });

  it("are replaced by a sentence when they cannot be stored", async () => {
    const { client, threadId, stream } = await asking([{ ...picture, data: "AAAA" }, picture], {
      limits: { storageBytes: 10 },
    });
    const everything = stream + JSON.stringify(await client.messages(threadId));
    expect(everything).toContain("Файл из ответа не сохранён");
    expect(everything).not.toMatch(/base64|attachments\//);
  });

  it("are inside the tool's own result for a provider that accepts them there", async () => {
    mcp.resultOf = () => ({ content: [text, picture, sound] });
    const bodies: Sent[] = [];
    const model = createAnthropicModel({
      model: "claude",
      baseUrl: `${upstream.url}/v1`,
      apiKey: "k",
      openTools: tools.open,
      input: ["image", "pdf"],
      fetch: async (input, init) => {
        bodies.push(JSON.parse(init?.body as string) as Sent);
        return fetch(input, init);
      },
    });
    const { client, threadId } = await openThread({ model });
    await tap(await client.ask(threadId, { id: "q1" })).done;
    expect(bodies[1]?.messages.at(-1)).toMatchObject({
      role: "user",
      content: [
        {
          type: "tool_result",
          content: [
            { type: "text", text: expect.stringContaining("Two cups") },
            { type: "image", source: { media_type: "image/png", data: PNG } },
            { type: "text", text: expect.stringContaining(LEFT_OUT) },
          ],
        },
      ],
    });
  });
});

describe("the text of a failed tool", () => {
  it.each([
    [[{ type: "text", text: "No such cup" }], "No such cup"],
    [[{ type: "text", text: "No cup" }, picture, { type: "text", text: "Try plates" }], "No cup\nTry plates"],
    [[picture], "The tool failed and did not say why."],
    [[], "The tool failed and did not say why."],
  ])("reaches the model as the tool returned it: %j", async (content, told) => {
    const { told: requests } = await asking(content, {}, {}, true);
    const tool = requests()[1]?.messages.find(({ role }) => role === "tool");
    expect(tool?.content).toBe(told);
  });
});
