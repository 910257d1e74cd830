import type { IncomingMessage, ServerResponse } from "node:http";
import { MCPMock } from "@copilotkit/aimock";
import { serveForTest } from "@nitka/server/test-kit";
import { expect, it, onTestFinished } from "vitest";
import { readEnv } from "./read-env.ts";
import { createServedProjects } from "./served-projects.ts";
import type { Settings } from "./read-settings.ts";

it("A start does not wait for an MCP server that hangs, and problems are logged when it answers", async () => {
  const opened = Promise.withResolvers<void>();
  const shop = await startSlowMcp(opened.promise);
  const warnings: string[] = [];
  const settings = {
    env: readEnv({}),
    providers: {},
    projects: { site: { mcpServers: { shop: { type: "http", url: shop } }, approve: ["shop/refund"] } },
  } as unknown as Settings;
  const log = { info: () => undefined, warn: (_: object, text: string) => warnings.push(text), error: () => undefined };
  const knowledgeOf = () => {
    throw new Error("The project has no knowledge");
  };
  const served = createServedProjects({ settings, read: () => settings, log, knowledgeOf });
  onTestFinished(() => served.close());
  await served.listTools();
  // The program waits five seconds for its connection; until then nothing is known about it.
  expect(warnings).toEqual([]);
  opened.resolve();
  await expect
    .poll(() => warnings)
    .toEqual(['projects.site.approve has "shop/refund", but the MCP server shop has no such tool: it has pay.']);
});

/** The address of an MCP server with one tool, which answers once `answers` resolves. */
async function startSlowMcp(answers: Promise<unknown>): Promise<string> {
  const mcp = new MCPMock();
  mcp.addTool({ name: "pay", inputSchema: { type: "object", properties: {} } });
  const target = await mcp.start();
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk as Uint8Array);
    await answers;
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => /^(?:accept|content-type|mcp-.*)$/.test(name)),
    ) as Record<string, string>;
    const body = request.method === "POST" ? { body: Buffer.concat(chunks).toString() } : {};
    const answer = await fetch(target, { method: request.method ?? "POST", headers, ...body });
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  };
  onTestFinished(() => mcp.stop());
  return `${await serveForTest((request, response) => void forward(request, response))}/mcp`;
}
