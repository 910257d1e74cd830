import type { ToolAnswer } from "@nitka/protocol";
import type { ToolCallPart } from "@nitka/protocol/parts/tool-call";
import { partsOf } from "@nitka/protocol/message";
import { conversationOf, keyOf } from "../../store/selectors.ts";
import type { CallState } from "../../store/state.ts";
import { setCall } from "../../store/tool-calls.ts";
import { HttpError } from "../../transport/http-error.ts";
import type { ActionContext } from "../action-context.ts";
import { changeConversationIn, failureOf, hasThread } from "../action-context.ts";
import type { NitkaTool } from "./page-offer.ts";
import { plainJson, reasonOf } from "./plain-json.ts";
import type { PostOutcome } from "./tool-answer-post.ts";
import { aborted, postToolAnswer } from "./tool-answer-post.ts";

/** The maximum size of an output as JSON. Our server takes bodies of up to 1 MB. */
const MAX_OUTPUT_BYTES = 900_000;

/** The maximum length of an error that is sent to the model. */
const MAX_ERROR_CHARS = 2000;

/** A tool call of a running answer that waits for the visitor or for this page. */
export interface WaitingCall {
  /** Starts handling the call; again when a rejoined run repeats its request. */
  takeUp(): void;
  /**
   * Compares the call with the state, and stops it if it is answered or its run is over. Returns `past` once no rejoined run
   * can repeat the call: its answer is complete, or its thread is gone.
   */
  check(): "past" | undefined;
  decide(approved: boolean): Promise<void>;
  answer(output: unknown): Promise<void>;
  stop(): void;
}

interface WaitingCallOptions {
  readonly context: ActionContext;
  readonly threadId: string;
  readonly toolCallId: string;
  /** The answer's key. It does not change when the server renames the answer. */
  readonly answerKey: string;
  readonly claim: string;
  readonly report: (error: Error) => void;
  /** Absent for a tool of the server, which waits for approval. */
  readonly tool?: NitkaTool;
  readonly toolName?: string;
  readonly input?: unknown;
}

/** A final answer, without the id of its call. */
type Outcome = { readonly output: unknown } | { readonly errorText: string } | { readonly approved: boolean };

export function createWaitingCall(options: WaitingCallOptions): WaitingCall {
  const { context, threadId, toolCallId, answerKey, tool, report } = options;
  const { store } = context;
  let controller = new AbortController();
  /** True from `takeUp` until `stop`. */
  let isTakenUp = false;
  /** Whether the visitor has allowed the call since the page was loaded. */
  let isAllowed = false;
  /** Whether `execute` was called. A call that is not repeatable never runs twice. */
  let hasRun = false;
  /** The answer of this page, sent or not. */
  let outcome: Outcome | undefined;
  let onDecision: ((approved: boolean) => void) | undefined;
  let onAnswer: ((output: unknown) => Promise<void>) | undefined;

  const findPart = (): ToolCallPart | undefined => {
    const { messages, run } = conversationOf(store.get(), threadId);
    const answer = messages.findLast(({ id }) => id === run?.answerId);
    return partsOf(answer ?? { content: "" }).findLast(
      (each): each is ToolCallPart => each.type === "tool-call" && each.toolCallId === toolCallId,
    );
  };
  const toolName = () => options.toolName || findPart()?.toolName || toolCallId;
  const show = (state: CallState | undefined) =>
    changeConversationIn(context, threadId, (conversation) => setCall(conversation, toolCallId, state));
  const post = (answer: Outcome | { readonly claim: string }): Promise<PostOutcome> =>
    postToolAnswer(context, threadId, { toolCallId, ...answer } satisfies ToolAnswer, controller.signal);

  /** Whether nothing waits for this call any more. */
  const isOver = () => {
    const conversation = conversationOf(store.get(), threadId);
    const { run } = conversation;
    if (!run || run.phase === "stopping" || keyOf(conversation, run.answerId) !== answerKey) return true;
    const { result, approval } = findPart() ?? {};
    return result !== undefined || approval === "denied" || (!tool && approval === "approved");
  };

  const isPast = () => {
    const state = store.get();
    const conversation = conversationOf(state, threadId);
    const answer = conversation.messages.findLast(({ id }) => keyOf(conversation, id) === answerKey);
    return answer?.status?.type === "complete" || !hasThread(state, threadId);
  };

  /** Whether this page still asks the visitor, or has just denied, although the call was allowed in another page. */
  const isAllowedElsewhere = () => {
    const call = conversationOf(store.get(), threadId).run?.calls?.[toolCallId];
    const isOpen = call?.type === "asking" || (call?.type === "deciding" && !call.approved);
    return isOpen && findPart()?.approval === "approved";
  };

  /** Asks the visitor until the backend has accepted their decision. Resolves with the decision. */
  const ask = async (tell: (approved: boolean) => Promise<unknown>): Promise<boolean> => {
    const title = tool?.title || toolName();
    const question = {
      title,
      ...(typeof tool?.confirm === "string" && { question: tool.confirm }),
      ...(tool && { parameters: tool.parameters }),
    };
    show({ type: "asking", ...question });
    for (;;) {
      const pressed = Promise.withResolvers<boolean>();
      onDecision = pressed.resolve;
      const approved = await Promise.race([pressed.promise, aborted(controller.signal)]);
      onDecision = undefined;
      show({ type: "deciding", ...question, approved });
      try {
        await tell(approved);
        return approved;
      } catch (error) {
        controller.signal.throwIfAborted();
        show({ type: "asking", ...question, failure: failureOf(context, error) });
      }
    }
  };

  /** Resolves when the stream says that the call is allowed. */
  const waitForAllowance = () => {
    const allowed = Promise.withResolvers<void>();
    const look = () => findPart()?.approval === "approved" && allowed.resolve();
    const unsubscribe = store.subscribe(look);
    look();
    return Promise.race([allowed.promise, aborted(controller.signal)]).finally(unsubscribe);
  };

  /** Claims the call for this page. Resolves with whether this page may run the tool. */
  const claim = async (): Promise<boolean> => {
    if (tool?.repeatable || !tool?.execute) return true;
    const isOurs = (await post({ claim: options.claim })) === "accepted";
    if (!isOurs) show({ type: "elsewhere" });
    return isOurs;
  };

  /** Does everything from the visitor's permission to the answer that the backend has accepted. */
  const respond = async (): Promise<void> => {
    if (!tool) {
      await ask((approved) => post({ approved }));
      return;
    }
    if (outcome) return void (await post(outcome));
    if (hasRun && !tool.repeatable) {
      outcome = { errorText: `The tool "${toolName()}" was stopped before it ended.` };
      return void (await post(outcome));
    }
    let isOurs = false;
    if (tool.confirm && !isAllowed && findPart()?.approval !== "approved") {
      const approved = await ask(async (allows) => {
        // The claim comes first: if visitors press in two pages at once, one page runs the call.
        isOurs = allows && (await claim());
        if (isOurs && (await post({ approved: true })) !== "accepted") await waitForAllowance();
        if (!allows) await post({ approved: false });
      });
      if (!approved || !isOurs) return;
      isAllowed = true;
    } else if (!(await claim())) return;
    await runTool(tool);
  };

  const runTool = async (pageTool: NitkaTool): Promise<void> => {
    if (!pageTool.execute) {
      show({ type: "waiting" });
      return waitForAnswer();
    }
    show({ type: "running" });
    const { signal } = controller;
    hasRun = true;
    const call = { signal, threadId, toolCallId };
    try {
      const args = options.input as Readonly<Record<string, unknown>>;
      // Called as a method of the host's object, because it may use `this`.
      const output: unknown = await Promise.race([(async () => pageTool.execute?.(args, call))(), aborted(signal)]);
      outcome = { output: checkedOutput(output) };
    } catch (cause) {
      if (signal.aborted) throw cause;
      outcome = reportFailure(cause);
    }
    return deliver(outcome);
  };

  /** Sends the outcome. If the backend refuses it, the model gets the reason. */
  const deliver = async (answer: Outcome): Promise<void> => {
    try {
      await post(answer);
    } catch (cause) {
      if (!(cause instanceof HttpError)) throw cause;
      outcome = reportFailure(cause);
      await post(outcome);
    }
  };

  const reportFailure = (cause: unknown): Outcome => {
    const name = toolName();
    const reason = reasonOf(cause);
    report(new Error(`Nitka: the tool "${name}" failed: ${reason}`, { cause }));
    return { errorText: `The tool "${name}" failed: ${reason}`.slice(0, MAX_ERROR_CHARS) };
  };

  /** Waits until a host's view has answered. */
  const waitForAnswer = (): Promise<void> =>
    Promise.race([
      new Promise<void>((resolve) => {
        onAnswer = async (output) => {
          const outcomeOfPost = await post({ output: checkedOutput(output) });
          if (outcomeOfPost === "over") throw new Error("nobody waits for it any more");
          onAnswer = undefined;
          resolve();
        };
      }),
      aborted(controller.signal),
    ]);

  const stop = () => {
    isTakenUp = false;
    onDecision = undefined;
    onAnswer = undefined;
    controller.abort(new Error("the tool call is over"));
  };

  return {
    takeUp() {
      if (isTakenUp || isOver()) return;
      isTakenUp = true;
      controller = new AbortController();
      const { signal } = controller;
      respond().catch((cause: unknown) => {
        if (signal.aborted) return;
        report(new Error(`Nitka: the tool "${toolName()}" could not be answered: ${reasonOf(cause)}`, { cause }));
        show(undefined);
      });
    },
    check() {
      if (isTakenUp && isOver()) {
        stop();
        show(undefined);
      } else if (isTakenUp && isAllowedElsewhere()) {
        onDecision = undefined;
        show({ type: "elsewhere" });
      }
      return !isTakenUp && isPast() ? "past" : undefined;
    },
    async decide(approved) {
      onDecision?.(approved);
    },
    answer: async (output) => {
      if (!onAnswer) throw new Error("it does not wait for one");
      return onAnswer(output);
    },
    stop,
  };
}

/** @throws Error if the output cannot be sent */
function checkedOutput(output: unknown): unknown {
  if (output === undefined) throw new Error("it ran, and returned no value; it must return JSON, such as null");
  let json: string;
  try {
    json = plainJson(output);
  } catch (cause) {
    throw new Error(`it ran, and its output cannot be sent: ${reasonOf(cause)}`, { cause });
  }
  const { size } = new Blob([json]);
  if (size > MAX_OUTPUT_BYTES) {
    throw new Error(`it ran, and its output has ${size} bytes as JSON; at most ${MAX_OUTPUT_BYTES} can be sent`);
  }
  // This is a copy, because the page may change its object while the answer waits for the network.
  return JSON.parse(json);
}
