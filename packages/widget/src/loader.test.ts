import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const page = globalThis as { Nitka?: unknown };
let reported: unknown[] = [];

// happy-dom would otherwise warn about each stylesheet that it does not load.
const { settings } = Reflect.get(window, "happyDOM") as { settings: { handleDisabledFileLoadingAsSuccess: boolean } };
settings.handleDisabledFileLoadingAsSuccess = true;

beforeEach(() => {
  vi.resetModules();
  reported = [];
  for (const file of ["APP", "LAUNCHER", "OLD_BROWSER"]) vi.stubGlobal(`NITKA_${file}`, `${file}.js`);
  vi.stubGlobal("reportError", (error: unknown) => reported.push(error));
  // The config's response never arrives.
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  Reflect.deleteProperty(globalThis, "Nitka");
});
afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

const load = () => import("./loader.ts");

describe("the script", () => {
  it("puts init on the window and defines the element", async () => {
    await load();
    expect(page.Nitka).toEqual({ init: expect.any(Function), push: expect.any(Function) });
    expect(customElements.get("nitka-chat")).toBeDefined();
  });

  it("makes the calls that were queued before it, and continues after a bad one", async () => {
    document.body.innerHTML = '<div id="chat"></div>';
    page.Nitka = [["init", { target: "#nowhere" }], ["dance"], ["init", { target: "#chat" }]];
    await load();
    expect(document.querySelectorAll("#chat > nitka-chat")).toHaveLength(1);
    expect(reported).toEqual([
      new Error("Target not found: #nowhere"),
      new TypeError('Nitka: push takes ["init", options], not dance.'),
    ]);
  });

  it("makes calls that are pushed after it has loaded", async () => {
    document.body.innerHTML = '<div id="chat"></div>';
    await load();
    (page.Nitka as unknown[]).push(["init", { target: "#chat" }]);
    expect(document.querySelectorAll("#chat > nitka-chat")).toHaveLength(1);
  });

  it("changes nothing when it is loaded a second time", async () => {
    await load();
    const first = page.Nitka;
    vi.resetModules();
    await load();
    expect(page.Nitka).toBe(first);
    expect(reported).toEqual([]);
  });
});

describe("the module", () => {
  it("can be imported where there is no page", async () => {
    vi.stubGlobal("HTMLElement", undefined);
    vi.stubGlobal("customElements", undefined);
    vi.stubGlobal("document", undefined);
    const { init, define } = await import("./index.ts");
    expect([typeof init, typeof define]).toEqual(["function", "function"]);
  });
});
