import { DefaultChatTransport, generateId } from "ai";
import type { ChatTransport, FileUIPart, UIMessage, UIMessageChunk, UITools } from "ai";

/** Functions of the page that the model may call. `parameters` is a JSON Schema. */
export type PageTools<T extends UITools> = {
  [N in keyof T]?: { description: string; parameters: object; execute: (input: T[N]["input"]) => T[N]["output"] };
};
type ToolsOf<M> = M extends UIMessage<unknown, infer _, infer T> ? T : UITools;

export interface TransportOptions {
  /**
   * Sends every request instead of the page's `fetch`, for example with the visitor's token, or with cookies to another
   * origin.
   */
  readonly fetch?: typeof fetch;
}

/** The waits after each failed attempt to report on a tool call to the server, in milliseconds. */
const RETRIES_MS = [500, 2_000, 5_000];

/**
 * Connects `useChat` to the threads at an address that ends with `api/debug/threads`. The chat's id is the thread's id.
 *
 * @param tools functions of the page, by the names under which the model calls them
 */
export function createNitkaTransport<M extends UIMessage>(
  threads: string,
  tools: PageTools<ToolsOf<M>> = {},
  options: TransportOptions = {},
) {
  const send: typeof fetch = options.fetch ?? ((...request) => fetch(...request));
  const functions = new Map(Object.entries(tools as PageTools<UITools>));
  const declared = [...functions].map(([name, tool]) => ({
    name,
    description: tool?.description,
    parameters: tool?.parameters,
  }));
  const edits = new Map<string, string>();
  const running = new Set<string>();
  const page = generateId();

  const http = new DefaultChatTransport<M>({
    fetch: send,
    prepareSendMessagesRequest: ({ id, messages, trigger, messageId }) => {
      const at = messages.findLastIndex(({ role }) => role === "user");
      const { id: own = "", parts = [] } = messages[at] ?? {};
      // For the server an id is one question, so an edited question gets a new id.
      if (trigger === "submit-message" && messageId) edits.set(own, generateId());
      const content = parts.flatMap((part) => {
        if (part.type === "text") return { type: "text", text: part.text };
        const { type, url, mediaType: mimeType, filename } = part as Partial<FileUIPart>;
        return type === "file" ? { type, url, mimeType, filename } : [];
      });
      const question = { id: edits.get(own) ?? own, role: "user", content, parentId: messages[at - 1]?.id ?? null };
      return { api: `${threads}/${id}/run/stream`, body: { messages: [question], trigger, tools: declared } };
    },
    prepareReconnectToStreamRequest: ({ id }) => ({ api: `${threads}/${id}/run/stream` }),
  });
  const post = (id: string, operation: string, body: object) => {
    const headers = { "content-type": "application/json" };
    return send(`${threads}/${id}/run/${operation}`, { method: "POST", headers, body: JSON.stringify(body) });
  };
  /** Reports on a call to the server, with retries for a network that fails temporarily. Resolves to the response. */
  const tell = async (id: string, body: object): Promise<Response | undefined> => {
    for (const waitMs of RETRIES_MS) {
      const response = await post(id, "tool", body).catch(() => undefined);
      if (response && response.status < 500) return response;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
    return undefined;
  };
  const runTool = async (id: string, { toolCallId, toolName, input }: Record<string, string>) => {
    const execute = functions.get(toolName ?? "")?.execute;
    const call = JSON.stringify([id, toolCallId]);
    // A rejoined stream repeats the request for a call that this page is already running.
    if (!execute || running.has(call)) return;
    running.add(call);
    const claimed = await tell(id, { toolCallId, claim: page });
    if (!claimed?.ok) {
      running.delete(call);
      return;
    }
    const answer = await Promise.resolve(input)
      .then(execute)
      .then(
        (output = null) => ({ output }),
        (error: unknown) => ({ errorText: String(error) }),
      );
    // A call whose result could not be reported stays in the set, so that it does not run a second time.
    if (await tell(id, { toolCallId, ...answer })) running.delete(call);
  };
  const runTools = (id: string) =>
    new TransformStream<UIMessageChunk, UIMessageChunk>({
      transform(chunk, controller) {
        controller.enqueue(chunk);
        if (chunk.type === "data-tool-request") void runTool(id, chunk.data as Record<string, string>);
      },
    });

  return {
    resumeStreamIsReplay: true,
    sendMessages: async (options) => (await http.sendMessages(options)).pipeThrough(runTools(options.chatId)),
    reconnectToStream: async (options) =>
      (await http.reconnectToStream(options))?.pipeThrough(runTools(options.chatId)) ?? null,
    /** Allows or denies a tool call that waits for approval. */
    approve: (id: string, toolCallId: string, approved: boolean) => post(id, "tool", { toolCallId, approved }),
    /** Stops the answer. `stop` of `useChat` only closes the connection, and the answer continues. */
    cancel: (id: string) => post(id, "cancel", {}),
  } satisfies ChatTransport<M> & Record<string, unknown>;
}
