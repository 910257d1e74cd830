import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { watchReturn } from "./watch-return.ts";

const show = (isShown: boolean) => {
  vi.spyOn(document, "hidden", "get").mockReturnValue(!isShown);
  document.dispatchEvent(new Event("visibilitychange"));
};
/** The focus moves to another window, or to a frame in the page, which Firefox reports a task later than others. */
const leaveFor = async (place: "window" | "frame" | "frame in Firefox") => {
  const hasFocus = vi.spyOn(document, "hasFocus").mockReturnValue(place === "frame");
  window.dispatchEvent(new Event("blur"));
  hasFocus.mockReturnValue(place !== "window");
  await vi.advanceTimersByTimeAsync(0);
};
const comeBack = () => window.dispatchEvent(new Event("focus"));

let widget: AbortController;
let refreshes: unknown[];
beforeEach(() => {
  vi.useFakeTimers();
  widget = new AbortController();
  refreshes = [];
  watchReturn({ refresh: (from) => Promise.resolve(void refreshes.push(from)) }, widget.signal);
});
afterEach(() => {
  widget.abort();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("a visitor who comes back gets a refresh", () => {
  it("to a page that was hidden, though it has no focus", async () => {
    await leaveFor("window");
    show(false);
    show(true);
    expect(refreshes).toEqual([undefined]);
  });

  it.each([
    ["window", "window"],
    ["frame", "frame"],
    ["frame in Firefox", "frame"],
  ] as const)("to the focus from a %s, which the refresh is told", async (place, told) => {
    await leaveFor(place);
    comeBack();
    expect(refreshes).toEqual([told]);
  });

  it("to the focus that is back at once, and none for the next focus", async () => {
    vi.spyOn(document, "hasFocus").mockReturnValue(true);
    window.dispatchEvent(new Event("blur"));
    comeBack();
    await vi.advanceTimersByTimeAsync(1000);
    comeBack();
    expect(refreshes).toHaveLength(1);
  });

  it("to a page that they have opened in the background", () => {
    comeBack();
    expect(refreshes).toEqual(["window"]);
  });
});

it("the focus that comes without having left is no return", () => {
  comeBack();
  comeBack();
  expect(refreshes).toHaveLength(1);
});

it("nothing is refreshed after the end of the widget", async () => {
  widget.abort();
  show(false);
  show(true);
  await leaveFor("window");
  comeBack();
  expect(refreshes).toEqual([]);
});
