/** The protocols in which the server streams an answer. */

/** One answer in a protocol: how it begins, writes a delta, and ends. */
export interface Wire {
  readonly headers: Readonly<Record<string, string>>;
  readonly begin: string;
  readonly delta: (text: string) => string;
  readonly end: string;
}

const eventStream = { "content-type": "text/event-stream", "cache-control": "no-cache" };

/** Ours, and the AI SDK's stream of a message, which is the same. */
export function messageStreamOf(id: string): Wire {
  return {
    headers: { ...eventStream, "x-vercel-ai-ui-message-stream": "v1" },
    begin: event({ type: "start", messageId: id }) + event({ type: "text-start", id: "text" }),
    delta: (delta) => event({ type: "text-delta", id: "text", delta }),
    end: `${event({ type: "text-end", id: "text" })}${event({ type: "finish" })}data: [DONE]\n\n`,
  };
}

/** deep-chat's own. */
export function deepChatOf(): Wire {
  return { headers: eventStream, begin: "", delta: (text) => event({ text }), end: "" };
}

/** n8n's own, of a workflow's node that writes the answer: lines of JSON. */
export function workflowOf(): Wire {
  const line = (value: object) => `${JSON.stringify({ ...value, metadata: { nodeId: "answer" } })}\n`;
  return {
    headers: { "content-type": "application/json", "cache-control": "no-cache" },
    begin: line({ type: "begin" }),
    delta: (content) => line({ type: "item", content }),
    end: line({ type: "end" }),
  };
}

/** The run that an agent of AG-UI is asked for. */
export interface AgentRun {
  readonly threadId: string;
  readonly runId: string;
}

/** AG-UI's, which CopilotKit speaks. */
export function agentRunOf({ threadId, runId }: AgentRun, messageId: string): Wire {
  return {
    headers: eventStream,
    begin:
      event({ type: "RUN_STARTED", threadId, runId }) +
      event({ type: "TEXT_MESSAGE_START", messageId, role: "assistant" }),
    delta: (delta) => event({ type: "TEXT_MESSAGE_CONTENT", messageId, delta }),
    end: event({ type: "TEXT_MESSAGE_END", messageId }) + event({ type: "RUN_FINISHED", threadId, runId }),
  };
}

/** The stored messages of a conversation as AG-UI sends them. */
export function agentHistoryOf({ threadId, runId }: AgentRun, messages: readonly object[]): string {
  return [
    event({ type: "RUN_STARTED", threadId, runId }),
    event({ type: "MESSAGES_SNAPSHOT", messages }),
    event({ type: "RUN_FINISHED", threadId, runId }),
  ].join("");
}

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
