/** A chat whose page offers tools, and whose backend records the page's answers. */
import type { ServerConfig, StreamEvent, ToolAnswer } from "@nitka/protocol";
import { HttpError } from "../transport/http-error.ts";
import type { Script } from "../transport/scripted-transport.ts";
import type { NitkaTools, PageOffer } from "./tools/page-offer.ts";
import { startScriptedChat } from "./scripted-chat.ts";

/** A short text for a message: `claim`, `approved: true`, `output: 5`. */
const textOf = (answer: ToolAnswer): string =>
  Object.entries(answer)
    .filter(([name]) => name !== "toolCallId")
    .map(([name, value]) => `${name}: ${name === "claim" ? "page" : JSON.stringify(value)}`)
    .join();

export const features = { resume: true, cancel: true, clientTools: true, approvals: true, pageContext: true };

/** The events of a call of a page's tool, up to the request. */
export function calling(toolName: string, input: unknown = {}, toolCallId = "c1"): readonly StreamEvent[] {
  return [
    { type: "start", messageId: "m1" },
    { type: "tool-input-available", toolCallId, toolName, input },
    { type: "data-tool-request", toolCallId, toolName, input },
  ];
}

/** The events of a call of a server's tool that waits for approval. */
export function asking(toolName: string, input: unknown = {}, toolCallId = "c1"): readonly StreamEvent[] {
  return [
    { type: "start", messageId: "m1" },
    { type: "tool-input-available", toolCallId, toolName, input },
    { type: "tool-approval-request", toolCallId, approvalId: "p1" },
  ];
}

/** An error response of the backend. */
export function refusal(status: number, code = ""): HttpError {
  return new HttpError(`HTTP ${status}`, { status, code });
}

interface ToolsOptions {
  readonly tools?: NitkaTools;
  readonly script?: Partial<Script>;
  readonly config?: ServerConfig;
  /** Called with each answer. It may throw or wait. */
  readonly onAnswer?: (answer: ToolAnswer) => Promise<void> | void;
}

/** Starts a chat and asks a question. Returns the chat with the answers that the backend has received. */
export async function startToolChat({ tools = {}, script = {}, config = { features }, onAnswer }: ToolsOptions = {}) {
  const answers: ToolAnswer[] = [];
  const offer: { now: PageOffer } = { now: { tools } };
  const chat = await startScriptedChat(
    {
      ...script,
      before: async (call, ...args) => {
        if (call !== "answerTool") return script.before?.(call, ...args);
        answers.push(args[1] as ToolAnswer);
        return onAnswer?.(args[1] as ToolAnswer);
      },
    },
    config,
    { pageOffer: () => offer.now },
  );
  await chat.actions.sendText("t1", "Купи");
  await settled(chat);
  return {
    ...chat,
    offer,
    answers,
    /** The answers that the backend has received, in order. */
    told: () => answers.map(textOf),
    /** What each call of the run waits for. */
    calls: () => chat.conversation().run?.calls ?? {},
    /** The errors that the host has received. */
    errors: () => chat.events.flatMap((event) => (event.type === "error" ? event.detail.message : [])),
    async say(...events: readonly StreamEvent[]) {
      chat.last().emit(events);
      await settled(chat);
    },
    settle: () => settled(chat),
  };
}

/** The code of the tools is a chunk, whose import takes longer than other promises. */
async function settled(chat: Awaited<ReturnType<typeof startScriptedChat>>): Promise<void> {
  await chat.settle();
  await import("./tools/page-tools.ts");
  await chat.settle();
}
