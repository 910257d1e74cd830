// @vitest-environment node
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { HttpError } from "../transport/http-error.ts";
import { noon, startScriptedChat } from "./scripted-chat.ts";

beforeEach(() => vi.useFakeTimers({ now: noon }));
afterEach(() => vi.useRealTimers());

it.each([{}, { resume: true, cancel: true }])(
  "a question waits for the network as long as it takes, and is posted once: %j",
  async (features) => {
    const network = { isThere: false };
    let posts = 0;
    const chat = await startScriptedChat(
      {
        before(call) {
          if (call !== "startRun") return;
          if (!network.isThere) throw new HttpError("no network", { status: 0 });
          posts += 1;
        },
      },
      { features },
    );
    chat.actions.setOffline(true);
    await chat.actions.sendText("t1", "Привет");
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(chat.conversation().run?.phase).toBe("rejoining");
    network.isThere = true;
    chat.actions.setOffline(false);
    chat.actions.reconnect();
    await chat.settle();
    await chat.say({ type: "text-delta", id: "1", delta: "Да" }, { type: "finish" });
    expect({ posts, shown: chat.shown() }).toEqual({
      posts: 1,
      shown: ["user: Привет", "assistant: Да [complete]"],
    });
  },
);
