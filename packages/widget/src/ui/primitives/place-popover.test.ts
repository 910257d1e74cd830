import { afterEach, expect, test, vi } from "vitest";
import { placePopover, placeSheet } from "./place-popover.ts";

afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function elementAt(left: number, width: number): HTMLElement {
  const element = document.createElement("div");
  element.getBoundingClientRect = () => new DOMRect(left, 100, width, 20);
  document.body.append(element);
  return element;
}

test.each([
  ["ltr", "start", "400px"],
  ["ltr", "center", "350px"],
  ["ltr", "end", "300px"],
  ["rtl", "start", "300px"],
  ["rtl", "center", "350px"],
  ["rtl", "end", "400px"],
] as const)("in lines that run %s, the %s of a wider popover is that of its anchor", (direction, align, x) => {
  const anchor = elementAt(400, 100);
  anchor.style.direction = direction;
  const popover = elementAt(0, 200);
  placePopover(popover, anchor, { side: "below", align });
  expect(popover.style.getPropertyValue("--x")).toBe(x);
});

test.each([
  ["ltr", "400px"],
  ["rtl", "500px"],
] as const)(
  "without anchors the sheet stands where the lines of its widget begin, which run %s",
  (direction, start) => {
    vi.stubGlobal("CSS", { supports: () => false });
    vi.spyOn(document.documentElement, "clientWidth", "get").mockReturnValue(1000);
    const sheet = document.createElement("dialog");
    sheet.style.direction = direction;
    elementAt(400, 100).append(sheet);
    placeSheet(sheet);
    expect(sheet.style.getPropertyValue("--sheet-start")).toBe(start);
    expect(sheet.style.getPropertyValue("--sheet-room")).toBe("100px");
  },
);
