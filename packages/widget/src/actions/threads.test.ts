// @vitest-environment node
import type { Thread } from "@nitka/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HttpError } from "../transport/http-error.ts";
import { noon, startAskedChat, startScriptedChat } from "./scripted-chat.ts";

beforeEach(() => vi.useFakeTimers({ now: noon }));
afterEach(() => vi.useRealTimers());

const thread = (threadId: string, hours: number, title?: string): Thread => ({
  threadId,
  updatedAt: new Date(noon.getTime() - hours * 3_600_000).toISOString(),
  ...(title === undefined ? {} : { title }),
});
const three = [thread("old", 30), thread("new", 1), thread("middle", 5)];
const offline = new HttpError("Failed to fetch", { status: 0 });
const ids = (chat: Awaited<ReturnType<typeof startScriptedChat>>) =>
  chat.store.get().threads.items.map(({ threadId }) => threadId);

describe("the first load", () => {
  it("sorts the list, newest first, and opens the newest", async () => {
    const chat = await startScriptedChat({ threads: three });
    expect(ids(chat)).toEqual(["new", "middle", "old"]);
    expect(chat.store.get().threads).toMatchObject({
      load: { status: "ready" },
      activeId: "new",
      older: { status: "none" },
    });
    expect(chat.conversation().load.status).toBe("ready");
  });

  it("makes a thread where the list is empty, and opens it without loading", async () => {
    const chat = await startScriptedChat({ threads: [] });
    expect(chat.store.get().threads).toMatchObject({ activeId: "new1", highlightedId: "new1" });
    expect(chat.conversation().load.status).toBe("ready");
    expect(chat.calls).toEqual(["listThreads", "createThread"]);
  });

  it("opens the thread that the address names", async () => {
    const chat = await startScriptedChat({ threads: three }, {}, { addressedThread: () => "old" });
    expect(chat.store.get().threads.activeId).toBe("old");
  });

  it("opens the newest thread where the address names an unknown one", async () => {
    const chat = await startScriptedChat({ threads: three }, {}, { addressedThread: () => "gone" });
    expect(chat.store.get().threads.activeId).toBe("new");
  });

  it("finds an addressed thread in an older page", async () => {
    const many = Array.from({ length: 450 }, (_, index) => thread(`t${index}`, index));
    const world = { addressedThread: () => "t430" };
    const chat = await startScriptedChat({ threads: many }, { features: { resume: true } }, world);
    expect(chat.store.get().threads.activeId).toBe("t430");
  });

  it("keeps its failure, and can be retried", async () => {
    let broken = true;
    const chat = await startScriptedChat({
      threads: three,
      before: (call) => {
        if (call === "listThreads" && broken) throw offline;
      },
    });
    const failure = { kind: "network", detail: "Failed to fetch" };
    expect(chat.store.get().threads).toMatchObject({ load: { status: "failed", failure }, items: [] });
    expect(chat.events).toEqual([{ type: "error", detail: offline }]);
    broken = false;
    await chat.actions.reloadThreads();
    expect(chat.store.get().threads).toMatchObject({ load: { status: "ready" }, activeId: "new" });
  });
});

describe("switching", () => {
  it("is loading until the messages are there", async () => {
    const gate = Promise.withResolvers<void>();
    const chat = await startScriptedChat({
      threads: three,
      before: (call, id) => (call === "listMessages" && id === "old" ? gate.promise : undefined),
    });
    void chat.actions.selectThread("old");
    await chat.settle();
    expect(chat.store.get().threads.activeId).toBe("old");
    expect(chat.conversation().load.status).toBe("loading");
    gate.resolve();
    await chat.settle();
    expect(chat.conversation().load.status).toBe("ready");
  });

  it("shows cached messages at once without a request to a plain backend", async () => {
    const chat = await startScriptedChat({ threads: three });
    await chat.actions.selectThread("old");
    await chat.actions.selectThread("new");
    expect(chat.conversation().load.status).toBe("ready");
    expect(chat.calls).toEqual(["listThreads", "listMessages", "listMessages"]);
  });

  it("refreshes cached messages where another tab may have begun a run", async () => {
    const chat = await startScriptedChat({ threads: three }, { features: { resume: true } });
    await chat.actions.selectThread("old");
    chat.backend.messages = { new: [{ id: "q", role: "user", content: "Из другой вкладки", parentId: null }] };
    await chat.actions.selectThread("new");
    expect(chat.shown()).toEqual(["user: Из другой вкладки"]);
  });

  it("closes the sheet", async () => {
    const chat = await startScriptedChat({ threads: three });
    chat.actions.setCompact(true);
    chat.actions.toggleSidebar();
    expect(chat.store.get().sidebar.sheetOpen).toBe(true);
    await chat.actions.selectThread("old");
    expect(chat.store.get().sidebar.sheetOpen).toBe(false);
  });

  it("keeps a failure to load per thread, and loads again on request", async () => {
    let broken = true;
    const chat = await startScriptedChat({
      before: (call) => {
        if (call === "listMessages" && broken) throw offline;
      },
    });
    expect(chat.conversation()).toMatchObject({
      load: { status: "failed", failure: { kind: "network" } },
    });
    broken = false;
    chat.actions.reconnect();
    await chat.settle();
    expect(chat.conversation().load.status).toBe("ready");
  });
});

describe("a new thread", () => {
  it("is active and highlighted for 600 ms", async () => {
    const chat = await startScriptedChat({ threads: three });
    await chat.actions.newThread();
    expect(chat.store.get().threads).toMatchObject({ activeId: "new1", highlightedId: "new1" });
    expect(ids(chat)[0]).toBe("new1");
    await vi.advanceTimersByTimeAsync(599);
    expect(chat.store.get().threads.highlightedId).toBe("new1");
    await vi.advanceTimersByTimeAsync(1);
    expect(chat.store.get().threads.highlightedId).toBeUndefined();
  });

  it("is made once, however often it is asked for meanwhile", async () => {
    const chat = await startScriptedChat({ threads: three });
    await Promise.all([chat.actions.newThread(), chat.actions.newThread()]);
    expect(ids(chat)).toHaveLength(4);
  });

  it("leaves a failure in the list when it cannot be made", async () => {
    const chat = await startScriptedChat({
      threads: three,
      before: (call) => {
        if (call === "createThread") throw offline;
      },
    });
    await chat.actions.newThread();
    expect(chat.store.get().threads.createFailure).toEqual({ kind: "network", detail: "Failed to fetch" });
  });
});

describe("a question or an answer in a thread", () => {
  it("moves the thread to the top and highlights it for 600 ms", async () => {
    const chat = await startScriptedChat({ threads: three });
    await chat.actions.selectThread("old");
    await chat.actions.sendText("old", "Привет");
    expect(ids(chat)).toEqual(["old", "new", "middle"]);
    expect(chat.store.get().threads.highlightedId).toBe("old");
    await vi.advanceTimersByTimeAsync(600);
    expect(chat.store.get().threads.highlightedId).toBeUndefined();
  });

  it("moves the thread to the top although the visitor's clock is behind the server's", async () => {
    const chat = await startScriptedChat({ threads: [...three, thread("future", -2)] });
    await chat.actions.sendText("new", "Привет");
    expect(ids(chat)[0]).toBe("new");
  });
});

describe("renaming", () => {
  it("is shown after the server has confirmed it", async () => {
    const gate = Promise.withResolvers<void>();
    const chat = await startScriptedChat({
      threads: three,
      before: (call) => (call === "renameThread" ? gate.promise : undefined),
    });
    void chat.actions.renameThread("new", "  Погода  ");
    await chat.settle();
    expect(chat.store.get().threads.items[0]?.title).toBeUndefined();
    gate.resolve();
    await chat.settle();
    expect(chat.store.get().threads.items[0]?.title).toBe("Погода");
  });

  it("makes no request for an empty or unchanged title", async () => {
    const chat = await startScriptedChat({ threads: [thread("t", 1, "Погода")] });
    await chat.actions.renameThread("t", "   ");
    await chat.actions.renameThread("t", "Погода");
    expect(chat.calls).not.toContain("renameThread");
  });

  it("keeps the old title and the failure of the thread when it fails", async () => {
    const chat = await startScriptedChat({
      threads: three,
      before: (call) => {
        if (call === "renameThread") throw new HttpError("HTTP 422 Unprocessable: …", { status: 422 });
      },
    });
    await chat.actions.renameThread("new", "Погода");
    expect(chat.store.get().threads.failures).toEqual({ new: { kind: "http", detail: "HTTP 422 Unprocessable: …" } });
  });
});

describe("archiving", () => {
  it("opens the thread below the active one, or the one above the last", async () => {
    const chat = await startScriptedChat({ threads: three });
    await chat.actions.archiveThread("new");
    expect(chat.store.get().threads.activeId).toBe("middle");
    await chat.actions.selectThread("old");
    await chat.actions.archiveThread("old");
    expect(chat.store.get().threads.activeId).toBe("middle");
  });

  it("keeps the active thread when another one is archived", async () => {
    const chat = await startScriptedChat({ threads: three });
    await chat.actions.archiveThread("old");
    expect(chat.store.get().threads.activeId).toBe("new");
    expect(ids(chat)).toEqual(["new", "middle"]);
  });

  it("makes a new thread after the only one", async () => {
    const chat = await startScriptedChat();
    await chat.actions.archiveThread("t1");
    expect(ids(chat)).toEqual(["new1"]);
    expect(chat.store.get().threads.activeId).toBe("new1");
  });

  it("ends the thread's run, whose late events bring nothing back", async () => {
    const chat = await startScriptedChat({ threads: three });
    await chat.actions.sendText("new", "Привет");
    await chat.settle();
    await chat.actions.archiveThread("new");
    expect(chat.last().signal.aborted).toBe(true);
    expect(chat.store.get().conversations).not.toHaveProperty("new");
  });

  it("succeeds for a thread that is gone, and keeps one that cannot be archived", async () => {
    let status = 404;
    const chat = await startScriptedChat({
      threads: three,
      before: (call) => {
        if (call === "archiveThread") throw new HttpError(`HTTP ${status} : `, { status });
      },
    });
    await chat.actions.archiveThread("old");
    expect(ids(chat)).toEqual(["new", "middle"]);
    status = 500;
    await chat.actions.archiveThread("middle");
    expect(ids(chat)).toEqual(["new", "middle"]);
    expect(chat.store.get().threads.failures).toEqual({ middle: { kind: "http", detail: "HTTP 500 : " } });
  });
});

describe("pages of the list", () => {
  const many = Array.from({ length: 250 }, (_, index) => thread(`t${index}`, index));

  it("are requested from a backend with features, after the last thread", async () => {
    const pages: unknown[] = [];
    const chat = await startScriptedChat(
      {
        threads: many,
        before: (call, page) => {
          if (call === "listThreads" && page !== undefined) pages.push(page);
        },
      },
      { features: { resume: true } },
    );
    expect(chat.store.get().threads.older).toEqual({ status: "available" });
    await chat.actions.loadOlderThreads();
    expect(pages).toEqual([{ before: "t199", at: many[199]?.updatedAt }]);
    expect(ids(chat)).toHaveLength(250);
    expect(chat.store.get().threads.older).toEqual({ status: "none" });
  });

  it("are loaded until an old thread is found, also while one is being loaded", async () => {
    const page = Promise.withResolvers<void>();
    const before = (call: string, from: unknown) =>
      call === "listThreads" && from !== undefined ? page.promise : undefined;
    const chat = await startScriptedChat({ threads: many, before }, { features: { resume: true } });
    void chat.actions.loadOlderThreads();
    const selected = chat.actions.selectThread("t240");
    await chat.settle();
    page.resolve();
    await selected;
    expect(chat.store.get().threads.activeId).toBe("t240");
  });

  it("are not requested further once one has failed", async () => {
    const before = (call: string, from: unknown) => {
      if (call === "listThreads" && from !== undefined) throw new HttpError("HTTP 500 : ", { status: 500 });
    };
    const chat = await startScriptedChat({ threads: many, before }, { features: { resume: true } });
    await chat.actions.selectThread("t240");
    expect(chat.calls.filter((call) => call === "listThreads")).toHaveLength(2);
    expect(chat.store.get().threads).toMatchObject({
      activeId: "t0",
      older: { status: "failed", failure: { kind: "http", detail: "HTTP 500 : " } },
    });
  });

  it("are not requested from a plain backend, however long its list", async () => {
    const chat = await startScriptedChat({ threads: many.slice(0, 200) });
    expect(chat.store.get().threads.older).toEqual({ status: "none" });
  });
});

describe("a title that the assistant sets", () => {
  it("is typed by grapheme, one every 20 ms", async () => {
    const chat = await startAskedChat();
    await chat.say({ type: "data-thread-title", title: "👨‍👩‍👧 дома" });
    const typed = () => chat.store.get().threads.typedTitles["t1"];
    expect(typed()).toBe("");
    await vi.advanceTimersByTimeAsync(20);
    expect(typed()).toBe("👨‍👩‍👧");
    await vi.advanceTimersByTimeAsync(40);
    expect(typed()).toBe("👨‍👩‍👧 д");
    await vi.advanceTimersByTimeAsync(100);
    expect(typed()).toBeUndefined();
    expect(chat.store.get().threads.items[0]?.title).toBe("👨‍👩‍👧 дома");
  });

  it("appears at once under reduced motion", async () => {
    const chat = await startAskedChat({}, {}, { prefersReducedMotion: () => true });
    await chat.say({ type: "thread-rename", title: "Погода" });
    expect(chat.store.get().threads).toMatchObject({ typedTitles: {}, items: [{ title: "Погода" }] });
  });
});
