import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { watchReturn } from "./watch-return.ts";

const show = (isShown: boolean) => {
  vi.spyOn(document, "hidden", "get").mockReturnValue(!isShown);
  document.dispatchEvent(new Event("visibilitychange"));
};
/** The focus leaves the page: for another window, or for a frame in it. */
const leaveFor = (place: "window" | "frame") => {
  vi.spyOn(document, "hasFocus").mockReturnValue(place === "frame");
  window.dispatchEvent(new Event("blur"));
};
const comeBack = () => window.dispatchEvent(new Event("focus"));

let widget: AbortController;
let refreshes: unknown[];
beforeEach(() => {
  widget = new AbortController();
  refreshes = [];
  watchReturn({ refresh: (from) => Promise.resolve(void refreshes.push(from)) }, widget.signal);
});
afterEach(() => {
  widget.abort();
  vi.restoreAllMocks();
});

describe("a visitor who comes back gets a refresh", () => {
  it("to a page that was hidden, though it has no focus", () => {
    leaveFor("window");
    show(false);
    show(true);
    expect(refreshes).toEqual([undefined]);
  });

  it.each(["window", "frame"] as const)("to the focus from a %s, which the refresh is told", (place) => {
    leaveFor(place);
    comeBack();
    expect(refreshes).toEqual([place]);
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

it("nothing is refreshed after the end of the widget", () => {
  widget.abort();
  show(false);
  show(true);
  leaveFor("window");
  comeBack();
  expect(refreshes).toEqual([]);
});
