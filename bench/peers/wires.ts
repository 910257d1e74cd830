/** The protocols in which the server streams an answer. */

/** One answer in a protocol: how it begins, writes a delta, and ends. */
export interface Wire {
  readonly headers: Readonly<Record<string, string>>;
  readonly begin: string;
  readonly delta: (text: string) => string;
  readonly end: string;
}

/** Made for each answer, from the id of its message. */
export type WireOf = (id: string) => Wire;

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

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
