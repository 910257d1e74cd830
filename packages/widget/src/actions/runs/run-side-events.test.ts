// @vitest-environment node
import type { StreamEvent } from "@nitka/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { noon, startAskedChat } from "../scripted-chat.ts";

beforeEach(() => vi.useFakeTimers({ now: noon }));
afterEach(() => vi.useRealTimers());

const text = (delta: string): StreamEvent => ({ type: "text-delta", id: "1", delta });

describe("events beside the answer's text", () => {
  const suggestions = [{ title: "А завтра?", prompt: "Какая погода завтра?" }];
  const begun = async () => {
    const chat = await startAskedChat();
    await chat.say({ type: "start", messageId: "m1" }, text("Да"));
    return chat;
  };
  const shownSuggestions = (chat: Awaited<ReturnType<typeof begun>>) =>
    chat.conversation().messages.map((message) => message.suggestions);

  it("suggestions belong to the answer when they come before its end", async () => {
    const chat = await begun();
    await chat.say({ type: "data-suggestions", suggestions }, { type: "finish" });
    expect(shownSuggestions(chat)).toEqual([undefined, suggestions]);
  });

  it("suggestions belong to the answer when they come after its end", async () => {
    const chat = await begun();
    await chat.say({ type: "finish" });
    await chat.say({ type: "data-suggestions", suggestions });
    expect(shownSuggestions(chat)).toEqual([undefined, suggestions]);
    expect(chat.shown()).toEqual(["user: Привет", "assistant: Да [complete]"]);
  });

  it("no event but a title changes the thread's title", async () => {
    const chat = await begun();
    await chat.say({ type: "data-title", title: "Погода" });
    await chat.say(
      { type: "tool-input-available", toolCallId: "c1", toolName: "cart", input: {} },
      { type: "data-tool-request", toolCallId: "c1", toolName: "cart", input: {} },
      { type: "data-tool-approved", toolCallId: "c1" },
      { type: "data-suggestions", suggestions },
    );
    expect(chat.store.get().threads.items.map(({ title }) => title)).toEqual(["Погода"]);
  });
});
