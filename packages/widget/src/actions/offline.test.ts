// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { draftOf } from "../store/selectors.ts";
import { HttpError } from "../transport/http-error.ts";
import { noon, startAskedChat, startScriptedChat } from "./scripted-chat.ts";

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

/** Some networks (a VPN, a virtual machine, a backend on localhost) work although the browser reports no network. */
describe("where the browser is wrong to say that it has no network", () => {
  const features = { resume: true, cancel: true };

  it("a question whose request is under way is cancelled, and does not return to the composer", async () => {
    const slow = Promise.withResolvers<void>();
    const chat = await startScriptedChat(
      { before: (call) => (call === "startRun" ? slow.promise : undefined) },
      { features },
    );
    chat.actions.setOffline(true);
    await chat.actions.sendText("t1", "Привет");
    await chat.settle();
    void chat.actions.stop("t1");
    await vi.advanceTimersByTimeAsync(3000);
    await chat.settle();
    expect(chat.calls).toContain("cancelRun");
    expect({ draft: draftOf(chat.store.get(), "t1").text, shown: chat.shown() }).toEqual({
      draft: "",
      shown: ["user: Привет", "assistant:  [cancelled]"],
    });
  });

  it("a question that could not leave the browser is withdrawn", async () => {
    const before = (call: string) => {
      if (call === "startRun") throw new HttpError("no network", { status: 0 });
    };
    const chat = await startScriptedChat({ before }, { features });
    chat.actions.setOffline(true);
    await chat.actions.sendText("t1", "Привет");
    await chat.settle();
    await chat.actions.stop("t1");
    expect({ draft: draftOf(chat.store.get(), "t1").text, shown: chat.shown() }).toEqual({
      draft: "Привет",
      shown: [],
    });
    expect(chat.calls).not.toContain("cancelRun");
  });

  it.each([1, 20])("a stream that breaks off is rejoined, though the first %i attempts fail", async (failures) => {
    let left = failures;
    const before = (call: string) => {
      if (call === "joinRun" && (left -= 1) >= 0) throw new HttpError("no network", { status: 0 });
    };
    const chat = await startAskedChat({ before }, { features });
    await chat.say({ type: "start", messageId: "m1" }, { type: "text-delta", id: "1", delta: "Да" });
    chat.actions.setOffline(true);
    chat.last().close();
    await chat.settle();
    await vi.advanceTimersByTimeAsync(failures * 40_000);
    await chat.say(
      { type: "start", messageId: "m1" },
      { type: "text-delta", id: "1", delta: "Да!" },
      { type: "finish" },
    );
    expect(chat.shown()).toEqual(["user: Привет", "assistant: Да! [complete]"]);
  });

  it("a stream that breaks is not given up while the network is away, and gets all its attempts when it is back", async () => {
    let isBroken = true;
    const before = (call: string) => {
      if (call === "joinRun" && isBroken) throw new HttpError("no network", { status: 0 });
    };
    const chat = await startAskedChat({ before }, { features });
    await chat.say({ type: "start", messageId: "m1" }, { type: "text-delta", id: "1", delta: "Да" });
    chat.actions.setOffline(true);
    chat.last().close();
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(chat.shown()[1]).toBe("assistant: Да [running]");
    chat.actions.setOffline(false);
    chat.actions.reconnect();
    await vi.advanceTimersByTimeAsync(5000);
    isBroken = false;
    await vi.advanceTimersByTimeAsync(5000);
    await chat.say(
      { type: "start", messageId: "m1" },
      { type: "text-delta", id: "1", delta: "Да!" },
      { type: "finish" },
    );
    expect(chat.shown()[1]).toBe("assistant: Да! [complete]");
  });
});
