/** The server's responses to each peer: one conversation and one answer, in each protocol. */
import { randomUUID } from "node:crypto";
import { conversationOf } from "../front/answer-text.ts";
import { event, eventStream, json, messageStreamOf } from "../front/site.ts";
import type { ApiAnswer, Wire } from "../front/site.ts";

/** The number of messages in the long conversation. */
export const LONG_THREAD = 200;

const conversation = conversationOf("long", LONG_THREAD);

/** The run that an AG-UI agent is asked for. */
interface AgentRun {
  readonly threadId: string;
  readonly runId: string;
}

export function peerAnswerOf(url: URL, body: string): ApiAnswer | undefined {
  const { pathname } = url;
  if (pathname === "/api/chat") return { wire: messageStreamOf(randomUUID()) };
  if (pathname === "/api/deep-chat") return { wire: deepChat };
  if (pathname === "/api/history") return json(conversation);
  if (pathname === "/api/n8n") return workflowAnswerOf(url, body);
  return pathname.startsWith("/api/copilotkit/") ? agentAnswerOf(pathname, body) : undefined;
}

const deepChat: Wire = { headers: eventStream, begin: "", delta: (text) => event({ text }), end: "" };

/** An n8n webhook handles two actions. The one that asks gets lines of JSON from the workflow's node that writes the answer. */
function workflowAnswerOf(url: URL, body: string): ApiAnswer {
  const { action } = JSON.parse(body) as { readonly action: string };
  if (action !== "loadPreviousSession") {
    const line = (value: object) => `${JSON.stringify({ ...value, metadata: { nodeId: "answer" } })}\n`;
    const headers = { "content-type": "application/json", "cache-control": "no-cache" };
    const delta = (content: string) => line({ type: "item", content });
    return { wire: { headers, begin: line({ type: "begin" }), delta, end: line({ type: "end" }) } };
  }
  const stored = url.search === "?long" ? conversation : [];
  return json({
    data: stored.map(({ role, content }) => ({
      id: ["langchain_core", "messages", role === "user" ? "HumanMessage" : "AIMessage"],
      kwargs: { content },
    })),
  });
}

/** CopilotKit's runtime with one agent, which uses AG-UI. */
function agentAnswerOf(pathname: string, body: string): ApiAnswer {
  if (pathname.endsWith("/info")) {
    return json({ version: "1.75.0", mode: "sse", agents: { default: { name: "default", description: "" } } });
  }
  if (!/\/(run|connect)$/.test(pathname)) return json({});
  const { threadId, runId } = JSON.parse(body) as AgentRun;
  const begin = event({ type: "RUN_STARTED", threadId, runId });
  const end = event({ type: "RUN_FINISHED", threadId, runId });
  if (pathname.endsWith("/connect")) {
    const messages = conversation.map(({ id, role, content }) => ({ id, role, content }));
    return { type: "text/event-stream", text: begin + event({ type: "MESSAGES_SNAPSHOT", messages }) + end };
  }
  const messageId = randomUUID();
  return {
    wire: {
      headers: eventStream,
      begin: begin + event({ type: "TEXT_MESSAGE_START", messageId, role: "assistant" }),
      delta: (delta) => event({ type: "TEXT_MESSAGE_CONTENT", messageId, delta }),
      end: event({ type: "TEXT_MESSAGE_END", messageId }) + end,
    },
  };
}
