/**
 * The page's tools, and the tool calls that wait for the visitor. This code loads when the page offers something, or with the
 * first call that waits.
 */
import type { EventOf } from "@nitka/protocol/stream-event";
import type { RunRequest } from "@nitka/protocol";
import { conversationOf, keyOf } from "../../store/selectors.ts";
import type { ActionContext } from "../action-context.ts";
import { until } from "../action-context.ts";
import { checkTools } from "./page-offer.ts";
import type { NitkaTools, PageOffer } from "./page-offer.ts";
import { reasonOf } from "./plain-json.ts";
import { readPage } from "./read-page.ts";
import type { WaitingCall } from "./waiting-call.ts";
import { createWaitingCall } from "./waiting-call.ts";

/** An event after which a tool call waits. */
export type WaitingCallEvent = EventOf<"data-tool-request"> | EventOf<"tool-approval-request">;

export interface PageTools {
  /** What a question says about the page. Never rejects. */
  read(): Promise<Pick<RunRequest, "pageContext" | "tools">>;
  /** A run in progress has sent this event. A rejoined run may repeat it. */
  request(threadId: string, event: WaitingCallEvent): void;
  /** Allows or denies a call, as the visitor decided. Resolves when the decision has been passed on. */
  decide(threadId: string, toolCallId: string, approved: boolean): Promise<void>;
  /** Answers a call with the output of a host's view. Rejects if the answer cannot be taken. */
  answer(threadId: string, toolCallId: string, output: unknown): Promise<void>;
  /** The page has changed its tools. */
  offerChanged(): void;
}

export function createPageTools(context: ActionContext, given: () => PageOffer): PageTools {
  const { store, signal } = context;
  /** An id of this load of the page. The backend gives a call to the first page that claims it. */
  const claim = context.newId();
  /**
   * The calls that this page has seen, by thread, answer and call. They are kept until their answer is complete, because a
   * rejoined run repeats their events.
   */
  const calls = new Map<string, WaitingCall>();
  /** Requests of active runs for tools that the page does not have, by the same keys. The page may offer these tools later. */
  const unknown = new Map<string, { readonly threadId: string; readonly event: EventOf<"data-tool-request"> }>();

  const report = (error: Error) => {
    context.logError(error.message);
    context.emit({ type: "error", detail: error });
  };
  let checked: { readonly tools: readonly unknown[]; readonly usable: NitkaTools } | undefined;
  /** What the page offers now, without invalid tools. Each invalid tool is reported once. */
  const offer = (): PageOffer => {
    const { tools, pageContext } = given();
    if (!tools) return { tools, pageContext };
    // The page may have mutated its object.
    const now = Object.entries(tools).flat();
    const isSame = now.length === checked?.tools.length && checked.tools.every((part, index) => part === now[index]);
    if (!checked || !isSame) checked = { tools: now, usable: checkTools(tools, report) };
    return { tools: checked.usable, pageContext };
  };
  const keyFor = (threadId: string, toolCallId: string) => {
    const conversation = conversationOf(store.get(), threadId);
    const { run } = conversation;
    return run && JSON.stringify([threadId, keyOf(conversation, run.answerId), toolCallId]);
  };
  const callOf = (threadId: string, toolCallId: string) => calls.get(keyFor(threadId, toolCallId) ?? "");

  const request = (threadId: string, event: WaitingCallEvent) => {
    const key = keyFor(threadId, event.toolCallId);
    const conversation = conversationOf(store.get(), threadId);
    // The run may have ended while this code was loading.
    if (key === undefined || !conversation.run || signal.aborted) return;
    const tools = offer().tools ?? {};
    const isPageTool = event.type === "data-tool-request";
    const tool = isPageTool && Object.hasOwn(tools, event.toolName) ? tools[event.toolName] : undefined;
    if (isPageTool && !tool) return void unknown.set(key, { threadId, event });
    const known = calls.get(key);
    if (known) return known.takeUp();
    const call = createWaitingCall({
      context,
      threadId,
      toolCallId: event.toolCallId,
      answerKey: keyOf(conversation, conversation.run.answerId),
      claim,
      report,
      ...(isPageTool && tool && { tool, toolName: event.toolName, input: event.input }),
    });
    calls.set(key, call);
    return call.takeUp();
  };
  const unsubscribe = store.subscribe(() => {
    for (const [key, call] of calls) if (call.check() === "past") calls.delete(key);
    for (const [key, { threadId, event }] of unknown)
      if (keyFor(threadId, event.toolCallId) !== key) unknown.delete(key);
  });
  const stop = () => {
    unsubscribe();
    for (const call of calls.values()) call.stop();
  };
  signal.addEventListener("abort", stop, { once: true });
  offer();

  return {
    read: () => readPage({ offer: offer(), features: store.get().config.features, after: context.after, report }),
    request,
    decide: async (threadId, toolCallId, approved) => callOf(threadId, toolCallId)?.decide(approved),
    async answer(threadId, toolCallId, output) {
      // A view is shown, and may answer, before the request for its answer has arrived.
      const waits = () => {
        const { run } = conversationOf(store.get(), threadId);
        return !run || run.calls?.[toolCallId]?.type === "waiting";
      };
      await until(context, waits);
      try {
        const call = callOf(threadId, toolCallId);
        if (!call) throw new Error("nothing waits for it");
        await call.answer(output);
      } catch (cause) {
        throw new Error(`Nitka: the answer to the tool call "${toolCallId}" was refused: ${reasonOf(cause)}.`, {
          cause,
        });
      }
    },
    offerChanged() {
      offer();
      const again = [...unknown.values()];
      unknown.clear();
      for (const { threadId, event } of again) request(threadId, event);
    },
  };
}
