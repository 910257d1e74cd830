import { afterEach, describe, expect, it, vi } from "vitest";
import { createStore } from "../store/create-store.ts";
import { initialState } from "../store/initial-state.ts";
import { toggleSidebar } from "../store/shell.ts";
import { persistSidebar, readSidebarOpen } from "./persist-sidebar.ts";

afterEach(() => vi.restoreAllMocks());

const startStore = (compact = false) =>
  createStore(initialState({ config: {}, sidebarOpen: true, compact, panelOpen: true }), (callback) => callback(0));

describe("the sidebar's cookie", () => {
  it("is written when the visitor toggles the sidebar, for seven days, and not before", () => {
    const written: string[] = [];
    vi.spyOn(document, "cookie", "set").mockImplementation((cookie) => void written.push(cookie));
    const store = startStore();
    const stop = persistSidebar(store);
    expect(written).toEqual([]);
    store.set(toggleSidebar);
    store.set(toggleSidebar);
    stop();
    store.set(toggleSidebar);
    expect(written).toEqual([
      "sidebar_state=false; Path=/; Max-Age=604800; SameSite=Lax",
      "sidebar_state=true; Path=/; Max-Age=604800; SameSite=Lax",
    ]);
  });

  it("is not written when the sheet of a compact widget opens", () => {
    const write = vi.spyOn(document, "cookie", "set").mockReturnValue();
    const store = startStore(true);
    persistSidebar(store);
    store.set(toggleSidebar);
    expect(write).not.toHaveBeenCalled();
  });

  it("says whether the sidebar was left open, which it counts as without a cookie", () => {
    const read = vi.spyOn(document, "cookie", "get");
    read.mockReturnValue("a=1; sidebar_state=false");
    expect(readSidebarOpen()).toBe(false);
    read.mockReturnValue("a=1; sidebar_state=true");
    expect(readSidebarOpen()).toBe(true);
    read.mockReturnValue("");
    expect(readSidebarOpen()).toBe(true);
  });

  it("may be forbidden: reading and writing it then throws nothing", () => {
    const refuse = () => {
      throw new DOMException("sandboxed", "SecurityError");
    };
    vi.spyOn(document, "cookie", "get").mockImplementation(refuse);
    vi.spyOn(document, "cookie", "set").mockImplementation(refuse);
    const store = startStore();
    persistSidebar(store);
    store.set(toggleSidebar);
    expect(readSidebarOpen()).toBe(true);
  });
});
