// @vitest-environment node
import type { Thread } from "@nitka/protocol";
import { describe, expect, it } from "vitest";
import type { ActionContext } from "./action-context.ts";
import { noon, startScriptedChat } from "./scripted-chat.ts";

const ids = (chat: Awaited<ReturnType<typeof startScriptedChat>>) =>
  chat.store.get().threads.items.map(({ threadId }) => threadId);

/** A widget beside another widget of the same browser. While it waits, the other one does this. */
function besideAnother(other: () => void): Pick<ActionContext, "inTurn"> {
  return {
    inTurn: async (waits, act) => {
      if (waits) other();
      await act(waits === true);
    },
  };
}

describe("a new visitor's widget that is not alone", () => {
  it("opens the thread that the other widget makes", async () => {
    const threads: Thread[] = [];
    const world = besideAnother(() => threads.push({ threadId: "theirs", updatedAt: noon.toISOString() }));
    const chat = await startScriptedChat({ threads }, {}, world);
    expect({ ids: ids(chat), activeId: chat.store.get().threads.activeId }).toEqual({
      ids: ["theirs"],
      activeId: "theirs",
    });
    expect(chat.calls).toEqual(["listThreads", "listThreads", "listMessages"]);
    expect(chat.conversation().load.status).toBe("ready");
  });

  it("makes the thread where the other widget makes none", async () => {
    const chat = await startScriptedChat(
      { threads: [] },
      {},
      besideAnother(() => undefined),
    );
    expect(ids(chat)).toEqual(["new1"]);
    expect(chat.calls).toEqual(["listThreads", "listThreads", "createThread"]);
  });

  it("makes none in its turn where the visitor has made one meanwhile", async () => {
    const turn = Promise.withResolvers<void>();
    const inTurn: ActionContext["inTurn"] = (waits, act) => (waits ? turn.promise.then(() => act(true)) : act(false));
    const early = ({ newThread }: { readonly newThread: () => Promise<void> }) =>
      void newThread().then(() => turn.resolve());
    const chat = await startScriptedChat({ threads: [] }, {}, { inTurn }, { early });
    expect(chat.calls.filter((call) => call === "createThread")).toHaveLength(1);
  });
});
