import { MCPMock } from "@copilotkit/aimock";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { serveForTest } from "@nitka/server/test-kit";
import { afterEach, describe, expect, it } from "vitest";
import type { ModelCall } from "@nitka/server";
import { readEnv } from "./read-env.ts";
import { absentVisitor } from "@nitka/server/testing";
import { createProjects } from "./projects.ts";

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

interface Body {
  readonly model: string;
  readonly stream?: boolean;
}

interface Upstream {
  readonly url: string;
  readonly bodies: readonly Body[];
  readonly headers: readonly IncomingHttpHeaders[];
}

const stops: (() => unknown)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

describe("a project's models", () => {
  it("use the project's settings and fallback, and leave titles to the title model", async () => {
    const { url, bodies } = await startUpstream("big");
    const fields = {
      model: "big",
      fallbackModel: "spare",
      titleModel: "small",
      maxOutputTokens: 300,
      temperature: 0.2,
      reasoningEffort: "low",
    } as const;
    const { projects } = createProjects(
      { shop: fields },
      { env: readEnv({ OPENAI_BASE_URL: url }), providers: {} },
      silent,
    );
    const model = projects["shop"]?.models[0];
    const calls: ModelCall[] = [];
    const request = {
      history: [{ id: "q", role: "user", content: "go" }] as const,
      signal: new AbortController().signal,
      contextChars: null,
      readAttachment: () => Promise.reject(new Error("Nothing is attached")),
      idleMs: null,
      firstByteMs: null,
      toolMs: null,
      visitor: absentVisitor,
      onUsage: (call: ModelCall) => calls.push(call),
    };
    let said = "";
    for await (const event of model?.run(request) ?? []) if (event.type === "text-delta") said += event.delta;
    expect([model?.id, said, await model?.title(request)]).toEqual(["big", "I am spare", "I am small"]);
    const settings = { max_tokens: 300, temperature: 0.2, reasoning_effort: "low" };
    expect(bodies).toMatchObject([{ model: "big", ...settings }, { model: "spare", ...settings }, { model: "small" }]);
    expect(calls.map(({ modelId, purpose }) => [modelId, purpose])).toEqual([
      ["spare", "answer"],
      ["small", "title"],
    ]);
  });

  it("of a provider with identify send a token for the visitor, signed with the project's secret; the config contains no webhooks", async () => {
    const { url, headers } = await startUpstream("none");
    const secret = "0123456789abcdef";
    const providers = { own: { type: "openai-compatible", baseUrl: url, identify: true } } as const;
    const webhooks = [{ url: "https://crm.example/hook", secret: `whsec_${Buffer.alloc(32).toString("base64")}` }];
    const fields = { models: [{ id: "own:chat" }], titleModel: "own:small", secret, webhooks };
    const { projects } = createProjects({ shop: fields }, { env: readEnv({}), providers }, silent);
    const asker = { sub: "7", anonymous: false, project: "shop", thread: "t1", claims: {} };
    const history = [{ id: "q", role: "user", content: "go" }] as const;
    await projects["shop"]?.models[0]?.title({ history, signal: new AbortController().signal, asker });
    const [sent] = headers;
    const claims = JSON.parse(
      Buffer.from(String(sent?.["x-nitka-visitor"]).split(".")[1] ?? "", "base64url").toString(),
    ) as object;
    expect(claims).toMatchObject({ sub: "7", project: "shop", thread: "t1", aud: "own" });
    expect(sent?.["x-nitka-thread"]).toBe("t1");
    expect(projects["shop"]).toMatchObject({ config: {}, webhooks });
    expect(projects["shop"]?.config).toEqual({});
  });

  it("of a provider are requested at its address, with its key and headers", async () => {
    const { url, bodies, headers } = await startUpstream("none");
    const providers = {
      local: { type: "openai-compatible", baseUrl: url, apiKey: "key-of-local", headers: { "x-team": "tea" } },
      gate: { type: "openai", baseUrl: url },
    } as const;
    const fields = { models: [{ id: "local:llama3.2:3b", name: "Лама" }, { id: "gate:gpt-5" }] };
    const { projects } = createProjects({ shop: fields }, { env: readEnv({}), providers }, silent);
    const models = projects["shop"]?.models ?? [];
    expect(models.map(({ id, name }) => [id, name])).toEqual([
      ["local:llama3.2:3b", "Лама"],
      ["gate:gpt-5", "gate:gpt-5"],
    ]);
    const titles = {
      history: [{ id: "q", role: "user", content: "go" }] as const,
      signal: new AbortController().signal,
    };
    for (const model of models) await model.title(titles);
    expect(bodies).toMatchObject([{ model: "llama3.2:3b" }, { model: "gpt-5" }]);
    expect(headers.map(({ authorization, "x-team": team }) => [authorization, team])).toEqual([
      ["Bearer key-of-local", "tea"],
      [undefined, undefined],
    ]);
    // OpenAI itself has another name for the limit, also behind a gateway.
    expect(bodies.map((body) => Object.keys(body).filter((key) => key.startsWith("max_")))).toEqual([
      ["max_tokens"],
      ["max_completion_tokens"],
    ]);
  });
});

describe("a project's MCP servers", () => {
  it("are asked for their tools, and entries of approve and toolViews that match none cause one warning each", async () => {
    const shop = await startMcp("search", "pay");
    const warnings: string[] = [];
    const log = { ...silent, warn: (_: object, text: string) => warnings.push(text) };
    const fields = {
      mcpServers: { shop: { type: "http" as const, url: shop } },
      approve: ["shop/pay", "shop/refund", "stok/*"],
      toolViews: { "shop/serch": "hidden", "stok/search": "name", page_tool: "name" } as const,
    };
    const unknown = [
      'projects.site.approve has "stok/*", but the project has no such MCP server: it has shop.',
      'projects.site.toolViews has "stok/search", but the project has no such MCP server: it has shop.',
    ];
    const projects = createProjects({ site: fields }, { env: readEnv({}), providers: {} }, log);
    stops.push(() => projects.close());
    expect(warnings).toEqual(unknown);
    await projects.listTools();
    await projects.listTools();
    expect(warnings).toEqual([
      ...unknown,
      'projects.site.approve has "shop/refund", but the MCP server shop has no such tool: it has search, pay.',
      'projects.site.toolViews has "shop/serch", but the MCP server shop has no such tool: it has search, pay.',
    ]);
  });

  it("stop the start when their tools leave no room in a model's window", async () => {
    const fields = {
      models: [{ id: "small", contextTokens: 100 }, { id: "text", contextTokens: 100, tools: false }, { id: "large" }],
      mcpServers: { shop: { type: "http" as const, url: await startMcp(...Array.from("abcdefgh")) } },
    };
    const projects = createProjects({ site: fields }, { env: readEnv({}), providers: {} }, silent);
    stops.push(() => projects.close());
    await expect(projects.listTools()).rejects.toThrow(
      /^projects\.site\.models\.0\.contextTokens is 100: expected more than the \d+ that the instructions and the tools take and the 25 that are reserved for the answer\.$/,
    );
  });

  it("stop the start when the model would know two tools by one name", async () => {
    const mcpServers = {
      a: { type: "http" as const, url: await startMcp("b_c") },
      a_b: { type: "http" as const, url: await startMcp("c") },
    };
    const projects = createProjects({ site: { mcpServers } }, { env: readEnv({}), providers: {} }, silent);
    stops.push(() => projects.close());
    await expect(projects.listTools()).rejects.toThrow(
      "projects.site.mcpServers: The tool c of the MCP server a_b would have the name of another tool, a_b_c: rename one of the two servers.",
    );
  });
});

describe("the log of an MCP server that cannot be used", () => {
  it.each<[string, (response: ServerResponse) => unknown, object]>([
    ["a refusal", (response) => response.writeHead(500).end("secret words"), { code: 500, responseChars: 12 }],
    [
      "a page",
      (response) => response.writeHead(200, { "content-type": "text/html" }).end("secret words"),
      { code: 200, message: "MCP HTTP Transport Error: Unexpected content type: text/html" },
    ],
    ["a broken connection", (response) => response.destroy(), { cause: { code: "UND_ERR_SOCKET" } }],
  ])("names the cause without a word of the server: %s", async (_, answer, error) => {
    const warned: object[] = [];
    const log = { ...silent, warn: (fields: object) => warned.push(fields) };
    const mcpServers = {
      shop: { type: "http" as const, url: await serveForTest((__, response) => void answer(response)) },
    };
    const projects = createProjects({ site: { mcpServers } }, { env: readEnv({}), providers: {} }, log);
    stops.push(() => projects.close());
    await projects.listTools();
    expect(warned).toMatchObject([{ project: "site", server: "shop", error }]);
    expect(JSON.stringify(warned)).not.toContain("secret");
  });
});

async function startMcp(...names: readonly string[]): Promise<string> {
  const mcp = new MCPMock();
  for (const name of names) mcp.addTool({ name, inputSchema: { type: "object", properties: {} } });
  const url = await mcp.start();
  stops.push(() => mcp.stop());
  return url;
}

/** An OpenAI-compatible server whose models answer with their names; one of them is broken. */
async function startUpstream(broken: string): Promise<Upstream> {
  const bodies: Body[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const url = await serveForTest((request, response) => {
    void json(request).then((body) => {
      const { model, stream } = body as Body;
      bodies.push(body as Body);
      headers.push(request.headers);
      if (model === broken) return response.writeHead(401).end("{}");
      const content = `I am ${model}`;
      const choice = stream ? { delta: { content } } : { message: { role: "assistant", content } };
      const answer = JSON.stringify({ choices: [{ ...choice, finish_reason: "stop" }] });
      response.writeHead(200, { "content-type": stream ? "text/event-stream" : "application/json" });
      return response.end(stream ? `data: ${answer}\n\ndata: [DONE]\n\n` : answer);
    });
  });
  return { url: `${url}/v1`, bodies, headers };
}
