import { expect, test } from "vitest";
import { growDown, growUp, openWindow, windowWithin } from "./thread-window.ts";

const END = Number.POSITIVE_INFINITY;

test("a short thread is mounted whole", () => {
  expect(openWindow(0)).toEqual({ from: 0, to: END });
  expect(openWindow(39)).toEqual({ from: 0, to: END });
});

test("a long thread opens with its newest forty messages, and up to a page more", () => {
  expect(openWindow(5000)).toEqual({ from: 4960, to: END });
  expect(openWindow(5019)).toEqual({ from: 4960, to: END });
});

test("older pages are mounted one by one, up to the first message", () => {
  expect(growUp({ from: 4960, to: END }, 5000)).toEqual({ from: 4940, to: END });
  expect(growUp({ from: 10, to: END }, 50)).toEqual({ from: 0, to: END });
});

test("beyond two hundred messages the far edge is unmounted", () => {
  expect(growUp({ from: 4800, to: END }, 5000)).toEqual({ from: 4780, to: 4980 });
  expect(growDown({ from: 4780, to: 4960 }, 5000)).toEqual({ from: 4780, to: 4980 });
  expect(growDown({ from: 4760, to: 4960 }, 5000)).toEqual({ from: 4780, to: 4980 });
});

test("a window that reaches the end follows it again", () => {
  expect(growDown({ from: 4780, to: 4980 }, 5000)).toEqual({ from: 4800, to: END });
});

test("a branch that ends before the window begins is opened at its end", () => {
  expect(windowWithin({ from: 100, to: END }, 60)).toEqual({ from: 20, to: END });
  expect(windowWithin({ from: 20, to: 60 }, 60)).toEqual({ from: 20, to: 60 });
});
