// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HttpError } from "../transport/http-error.ts";
import { noon, startScriptedChat } from "./scripted-chat.ts";

beforeEach(() => vi.useFakeTimers({ now: noon }));
afterEach(() => vi.useRealTimers());

const many = Array.from({ length: 450 }, (_, index) => ({
  threadId: `t${index}`,
  updatedAt: new Date(noon.getTime() - index * 60_000).toISOString(),
}));

/** A chat whose address names a thread of an older page, while the first look at its messages fails with this status. */
function addressed(status: number) {
  let failures = 1;
  const before = (call: string, threadId: unknown) => {
    if (call === "listMessages" && threadId === "t430" && (failures -= 1) >= 0)
      throw new HttpError(`HTTP ${status} : `, { status });
  };
  return startScriptedChat(
    { threads: many, before },
    { features: { resume: true } },
    { addressedThread: () => "t430" },
  );
}

describe("an old thread that the address names", () => {
  it.each([0, 429, 500, 503])("opens although the first look for it fails with %i", async (status) => {
    const chat = await addressed(status);
    expect(chat.store.get().threads.activeId).toBe("t430");
    expect(chat.conversation().load.status).toBe("ready");
  });

  it.each([400, 403, 404, 422])(
    "gives way to the newest where the backend says %i, and no older page is asked for",
    async (status) => {
      const chat = await addressed(status);
      expect(chat.store.get().threads.activeId).toBe("t0");
      expect(chat.calls.filter((call) => call === "listThreads")).toHaveLength(1);
    },
  );
});
