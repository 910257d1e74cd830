/** What the server answers to the widget and to each peer: one conversation and one answer, in the protocol of each. */
import { randomUUID } from "node:crypto";
import { conversationOf } from "../front/conversation.ts";
import { agentHistoryOf, agentRunOf, deepChatOf, messageStreamOf, workflowOf } from "./wires.ts";
import type { AgentRun, Wire } from "./wires.ts";

/** What a request is answered with: a text at once, or an answer that is streamed. */
export type ApiAnswer = { readonly type: string; readonly text: string } | { readonly wire: Wire };

/** How many messages the long conversation has. */
export const LONG_THREAD = 200;

const conversation = conversationOf("long", LONG_THREAD);

export function apiAnswerOf(method: string, url: URL, body: string): ApiAnswer {
  const { pathname } = url;
  if (pathname === "/api/chat") return { wire: messageStreamOf(randomUUID()) };
  if (pathname === "/api/deep-chat") return { wire: deepChatOf() };
  if (pathname === "/api/history") return json(conversation);
  if (pathname === "/api/n8n") return workflowAnswerOf(url, body);
  if (pathname.startsWith("/api/copilotkit/")) return agentAnswerOf(pathname, body);
  return ourAnswerOf(method, pathname);
}

function ourAnswerOf(method: string, pathname: string): ApiAnswer {
  if (pathname.endsWith("/run/stream")) return { wire: messageStreamOf(randomUUID()) };
  if (pathname.endsWith("/threads/long/messages")) return json(conversation);
  if (pathname.endsWith("/messages")) return json([]);
  if (pathname.endsWith("/threads") && method === "GET") {
    return json(
      ["empty", "long"].map((threadId) => ({ threadId, title: threadId, updatedAt: "2026-11-01T10:00:00Z" })),
    );
  }
  return json({});
}

/** A webhook of n8n answers two actions. */
function workflowAnswerOf(url: URL, body: string): ApiAnswer {
  const { action } = JSON.parse(body) as { readonly action: string };
  if (action !== "loadPreviousSession") return { wire: workflowOf() };
  const stored = url.search === "?long" ? conversation : [];
  return json({
    data: stored.map(({ role, content }) => ({
      id: ["langchain_core", "messages", role === "user" ? "HumanMessage" : "AIMessage"],
      kwargs: { content },
    })),
  });
}

/** CopilotKit's runtime with one agent. */
function agentAnswerOf(pathname: string, body: string): ApiAnswer {
  if (pathname.endsWith("/info")) {
    return json({ version: "1.75.0", mode: "sse", agents: { default: { name: "default", description: "" } } });
  }
  if (pathname.endsWith("/run")) return { wire: agentRunOf(JSON.parse(body) as AgentRun, randomUUID()) };
  if (!pathname.endsWith("/connect")) return json({});
  const messages = conversation.map(({ id, role, content }) => ({ id, role, content }));
  return { type: "text/event-stream", text: agentHistoryOf(JSON.parse(body) as AgentRun, messages) };
}

function json(value: unknown): ApiAnswer {
  return { type: "application/json", text: JSON.stringify(value) };
}
