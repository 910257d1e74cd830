import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { MCPMock } from "@copilotkit/aimock";
import { afterEach, describe, expect, it } from "vitest";
import { readSettings } from "../read-settings.ts";
import { checkOnline } from "./check-online.ts";
import { runInProcess } from "./command.contract.ts";

const stops: (() => unknown)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

describe("nitka check --online", () => {
  it("asks each model once, and says what it accepts", async () => {
    const { url, asked } = await startService();
    const path = file({
      providers: { here: { type: "openai-compatible", baseUrl: url, apiKey: "hunter2hunter2" } },
      projects: {
        shop: {
          models: [
            { id: "here:all" },
            { id: "here:toolless" },
            { id: "here:blind" },
            { id: "here:text", input: [], tools: false },
          ],
          titleModel: "here:all",
          fallbackModel: "demo",
        },
        help: { model: "here:all" },
      },
    });
    const { code, stdout, stderr } = await runInProcess({ NITKA_CONFIG: path }, "check", "--online");
    const lines = stdout.split("\n").filter((line) => /^[✓!✗] here/.test(line));
    expect(lines.map((line) => line.replace(/\d+\.\d s/, "N s"))).toEqual([
      "✓ here:all answers; its first words came after N s. It takes tools and pictures.",
      "✓ here:toolless answers; its first words came after N s. It takes pictures.",
      '! here:toolless does not answer with tools (upstream_refused, HTTP 400): if it does not support tools, set "tools": false.',
      "✓ here:blind answers; its first words came after N s. It takes tools.",
      '! here:blind does not answer with a picture (refused): if it cannot read pictures, remove "image" from its "input".',
      "✓ here:text answers; its first words came after N s.",
    ]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(asked.filter((model) => model === "all")).toHaveLength(3);
    expect(asked.filter((model) => model === "text")).toHaveLength(1);
  });

  it("exits with 1 when a model does not answer, and never prints a text of the service", async () => {
    const { url } = await startService();
    const path = file({
      providers: {
        here: { type: "openai-compatible", baseUrl: url, apiKey: "hunter2hunter2" },
        gone: { type: "openai-compatible", baseUrl: await closedAddress() },
      },
      projects: {
        shop: {
          models: [{ id: "here:locked" }, { id: "here:empty" }, { id: "here:page" }, { id: "gone:m" }, { id: "demo" }],
        },
      },
    });
    const { code, stdout } = await runInProcess({ NITKA_CONFIG: path }, "check", "--online");
    expect(stdout.split("\n").filter((line) => line.startsWith("✗"))).toEqual([
      "✗ here:locked does not answer: upstream_refused, HTTP 401.",
      "✗ here:empty does not answer: empty.",
      "✗ here:page does not answer: upstream_unavailable, a response without any part of an answer (content type: text/html).",
      "✗ gone:m does not answer: upstream_unavailable, ECONNREFUSED.",
    ]);
    expect(stdout).not.toContain("hunter2");
    expect(code).toBe(1);
  });

  it("also asks the embedding model, the title model and the fallback", async () => {
    const { url, asked } = await startService();
    const project = (embeddings: string) => ({
      model: "demo",
      titleModel: "here:titles",
      fallbackModel: "here:locked",
      knowledge: { sources: [{ pages: ["https://shop.example/"] }], embeddings },
    });
    const path = file({
      providers: { here: { type: "openai-compatible", baseUrl: url, apiKey: "hunter2hunter2" } },
      projects: { shop: project("here:vectors"), help: project("here:vectors"), other: project("here:locked") },
    });
    const { code, stdout } = await runInProcess({ NITKA_CONFIG: path }, "check", "--online");
    const lines = stdout.split("\n").filter((line) => /^[✓!✗] here/.test(line));
    expect(lines.map((line) => line.replace(/\d+\.\d s/, "N s"))).toEqual([
      "✓ here:titles answers; its first words came after N s. It takes tools and pictures.",
      "✗ here:locked does not answer: upstream_refused, HTTP 401.",
      "✓ here:vectors makes vectors of 3 numbers; the first came after N s.",
      "✗ here:locked makes no vectors: HTTP 401.",
    ]);
    expect([code, asked.filter((model) => model === "vectors")]).toEqual([1, ["vectors"]]);
    expect(stdout).not.toContain("hunter2");
  });

  it("stops waiting after the time limit", async () => {
    const { url } = await startService();
    const settings = readSettings({ NITKA_MODEL: "silent", OPENAI_BASE_URL: url });
    expect((await checkOnline(settings, 200)).lines.slice(1)).toEqual([
      "✗ silent does not answer: nothing within 0.2 s.",
    ]);
  });

  it("lists the tools of MCP servers, and names the entries that match none of them", async () => {
    const mcp = new MCPMock();
    for (const name of ["search", "pay"]) mcp.addTool({ name, inputSchema: { type: "object", properties: {} } });
    const url = await mcp.start();
    stops.push(async () => mcp.stop());
    const locked = await listening((_, response) => response.writeHead(401).end("hunter2hunter2"));
    const page = await listening((_, response) => response.writeHead(200, { "content-type": "text/html" }).end("hi"));
    const path = file({
      projects: {
        shop: {
          model: "demo",
          mcpServers: {
            stock: { type: "http", url },
            gone: { type: "http", url: new URL("/mcp", await closedAddress()).href },
            locked: { type: "http", url: locked },
            page: { type: "http", url: page },
          },
          toolViews: { "stock/serch": "hidden" },
        },
      },
    });
    const { code, stdout } = await runInProcess({ NITKA_CONFIG: path }, "check", "--online");
    const online = stdout.slice(stdout.indexOf("projects.shop.mcpServers") - 2);
    expect(online.split("\n")).toEqual([
      "✓ projects.shop.mcpServers.stock has 2 tools: search, pay.",
      "✗ projects.shop.mcpServers.gone does not answer: ECONNREFUSED.",
      "✗ projects.shop.mcpServers.locked does not answer: HTTP 401.",
      "✗ projects.shop.mcpServers.page does not answer: MCP HTTP Transport Error: Unexpected content type: text/html.",
      expect.stringContaining('! projects.shop.toolViews has "stock/serch"'),
      "",
    ]);
    expect(code).toBe(1);
  });
});

/** An address on which nothing listens any more. */
async function closedAddress(): Promise<string> {
  const { url } = await startService();
  await stops.pop()?.();
  return url;
}

function file(content: object): string {
  const folder = mkdtempSync(join(tmpdir(), "nitka-"));
  stops.push(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "projects.json"), JSON.stringify(content));
  return join(folder, "projects.json");
}

interface Body {
  readonly model: string;
  readonly tools?: unknown;
}

/** A service whose models behave as their names say. */
async function startService() {
  const asked: string[] = [];
  const url = await listening((request, response) => {
    void json(request).then((body) => {
      const { model, tools } = body as Body;
      asked.push(model);
      const refuse = (status: number) =>
        response
          .writeHead(status, { "content-type": "application/json" })
          .end('{"error":{"message":"key hunter2hunter2"}}');
      if (model === "silent") return undefined;
      if (model === "locked") return refuse(401);
      if (model === "toolless" && tools) return refuse(400);
      if (model === "blind" && JSON.stringify(body).includes("image_url")) return refuse(400);
      if (request.url?.endsWith("/embeddings")) {
        response.setHeader("content-type", "application/json");
        return response.end(JSON.stringify({ data: [{ embedding: [1, 0, 0] }] }));
      }
      if (model === "page")
        return response.writeHead(200, { "content-type": "text/html" }).end("<p>hunter2hunter2</p>");
      const content = model === "empty" ? {} : { content: "ok" };
      response.writeHead(200, { "content-type": "text/event-stream" });
      return response.end(
        `data: ${JSON.stringify({ choices: [{ delta: content, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`,
      );
    });
  });
  return { url: `${url}/v1`, asked };
}

async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
