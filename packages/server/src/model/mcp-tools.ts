import { createMCPClient } from "@ai-sdk/mcp";
import type { MCPClient } from "@ai-sdk/mcp";
import type { ToolSet } from "ai";
import type { OpenTools } from "./ai-sdk-model.ts";

/** An MCP server that is reached by Streamable HTTP. */
export interface McpServer {
  readonly type: "http";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface McpToolsOptions {
  readonly servers: Readonly<Record<string, McpServer>>;
  /** Told of a server that cannot be used; its tools are missing from the run or fail in it, which goes on. */
  readonly onError: (serverName: string, error: unknown) => void;
  readonly connectTimeoutMs?: number;
}

/**
 * Connects to every server at once and gathers their tools. A name that two servers share is theirs with the server's
 * name before it.
 */
export async function openMcpTools(
  { servers, onError, connectTimeoutMs = 5_000 }: McpToolsOptions,
  signal: AbortSignal,
): Promise<OpenTools> {
  const connected = await Promise.all(
    Object.entries(servers).map(async ([name, server]) => {
      try {
        const { client, tools } = await connect(server, connectTimeoutMs, signal);
        const report = (error: unknown) => {
          if (!signal.aborted) onError(name, error);
        };
        return { name, client, tools: mapTools(tools, (toolName, tool) => [toolName, readable(tool, report)]) };
      } catch (error) {
        if (!signal.aborted) onError(name, error);
        return undefined;
      }
    }),
  );
  const open = connected.filter((each) => each !== undefined);
  return {
    tools: named(open),
    close: async () => {
      await Promise.all(open.map(({ name, client }) => client.close().catch((error: unknown) => onError(name, error))));
    },
  };
}

async function connect(
  { url, headers }: McpServer,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<{ readonly client: MCPClient; readonly tools: ToolSet }> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const client = await createMCPClient({
    transport: { type: "http", url, ...(headers ? { headers: { ...headers } } : {}) },
    clientName: "nitka",
    initializationOptions: { signal: patience },
    // A server that goes away between calls shows in the next call.
    onUncaughtError: () => undefined,
  });
  try {
    return { client, tools: await Promise.race([client.tools(), rejection(patience)]) };
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error;
  }
}

/** The tools of all servers under names that no two share and every provider takes. */
function named(servers: readonly { readonly name: string; readonly tools: ToolSet }[]): ToolSet {
  const uses = new Map<string, number>();
  for (const name of servers.flatMap(({ tools }) => Object.keys(tools))) uses.set(name, (uses.get(name) ?? 0) + 1);
  return Object.assign(
    {},
    ...servers.map(({ name: server, tools }) =>
      mapTools(tools, (name, tool) => [fit((uses.get(name) ?? 0) > 1 ? `${server}_${name}` : name), tool]),
    ),
  ) as ToolSet;
}

function fit(name: string): string {
  return name.replaceAll(/[^\w-]/g, "_").slice(0, 64);
}

type AnyTool = ToolSet[string];

function mapTools(tools: ToolSet, change: (name: string, tool: AnyTool) => readonly [string, AnyTool]): ToolSet {
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => change(name, tool)));
}

/**
 * The same tool with results for people: what is nothing but text is that text, what is an error is thrown.
 *
 * @param report told of a call that did not get through
 */
function readable(tool: AnyTool, report: (error: unknown) => void): AnyTool {
  const { execute } = tool;
  if (!execute) return tool;
  return {
    ...tool,
    execute: async (input: unknown, options: Parameters<typeof execute>[1]) => {
      const result = await answered(() => execute(input as never, options), report);
      const text = plainText(result);
      if (isErrorResult(result)) throw new Error(text ?? "The tool failed and did not say why");
      return text ?? result;
    },
  };
}

/**
 * What went wrong on the way there is for the log: it may hold the server's address, its pages and the headers that it
 * was sent, and what is thrown here the visitor reads. What the server itself says of the call has a code.
 */
async function answered(call: () => unknown, report: (error: unknown) => void): Promise<unknown> {
  try {
    return await call();
  } catch (cause) {
    if (typeof (cause as { readonly code?: unknown } | null)?.code === "number") throw cause;
    report(cause);
    throw new Error("The tool's server could not be asked", { cause });
  }
}

function plainText(result: unknown): string | undefined {
  const content = (result as { readonly content?: unknown } | null)?.content;
  if (!Array.isArray(content) || content.length === 0) return undefined;
  const texts = content.map((part: { readonly type?: unknown; readonly text?: unknown }) =>
    part.type === "text" && typeof part.text === "string" ? part.text : undefined,
  );
  return texts.every((text) => text !== undefined) ? texts.join("\n") : undefined;
}

function isErrorResult(result: unknown): boolean {
  return (result as { readonly isError?: unknown } | null)?.isError === true;
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const refuse = () => reject(signal.reason as Error);
    if (signal.aborted) refuse();
    else signal.addEventListener("abort", refuse, { once: true });
  });
}
