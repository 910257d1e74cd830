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

/** A chat whose address names a thread of an older page. The first request of its messages fails with this status. */
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

it("older threads continue from the end of the list, although its last thread has moved up in another tab", async () => {
  const chat = await startScriptedChat({ threads: many.slice(0, 250) }, { features: { resume: true } });
  const moved = { threadId: "t199", updatedAt: new Date(noon.getTime() + 60_000).toISOString() };
  chat.backend.threads = [moved, ...chat.backend.threads.filter(({ threadId }) => threadId !== "t199")];
  await chat.actions.loadOlderThreads();
  expect(chat.store.get().threads.items).toHaveLength(250);
  expect(chat.store.get().threads.older).toEqual({ status: "none" });
});

describe("an old thread that the address names", () => {
  it.each([0, 429, 500, 503])("opens although the first look for it fails with %i", async (status) => {
    const chat = await addressed(status);
    expect(chat.store.get().threads.activeId).toBe("t430");
    expect(chat.conversation().load.status).toBe("ready");
  });

  it.each([400, 403, 404, 422])(
    "is replaced by the newest thread if the backend answers %i, and no older page is requested",
    async (status) => {
      const chat = await addressed(status);
      expect(chat.store.get().threads.activeId).toBe("t0");
      expect(chat.calls.filter((call) => call === "listThreads")).toHaveLength(1);
    },
  );
});

it("the only thread of a launcher opens again when it is restored, with the text written meanwhile", async () => {
  const chat = await startScriptedChat({}, { features: { restore: true } }, { hasLauncher: true });
  chat.actions.setDraft("t1", "раньше");
  await chat.actions.archiveThread("t1");
  expect(chat.store.get().threads).toMatchObject({ items: [], removed: [{ draft: "раньше" }] });
  expect(chat.store.get().threads.activeId).toBeUndefined();
  chat.actions.setDraft(undefined, "потом");
  await chat.actions.restoreThread("t1");
  expect(chat.store.get().threads.activeId).toBe("t1");
  expect(chat.conversation().load.status).toBe("ready");
  expect(chat.store.get().drafts["t1"]?.text).toBe("раньше\nпотом");
});
