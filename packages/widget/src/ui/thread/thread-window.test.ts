import { expect, test } from "vitest";
import { fitWindow, growDown, growUp, openWindow } from "./thread-window.ts";

const END = Number.POSITIVE_INFINITY;

test("a short thread is mounted whole", () => {
  expect(openWindow(0)).toEqual({ from: 0, to: END });
  expect(openWindow(39)).toEqual({ from: 0, to: END });
});

test("a long thread opens with its newest forty, and up to a page more", () => {
  expect(openWindow(5000)).toEqual({ from: 4960, to: END });
  expect(openWindow(5019)).toEqual({ from: 4960, to: END });
});

test("older pages come one by one, down to the first message", () => {
  expect(growUp({ from: 4960, to: END }, 5000)).toEqual({ from: 4940, to: END });
  expect(growUp({ from: 10, to: END }, 50)).toEqual({ from: 0, to: END });
});

test("the far end is let go of beyond two hundred messages", () => {
  expect(growUp({ from: 4800, to: END }, 5000)).toEqual({ from: 4780, to: 4980 });
  expect(growDown({ from: 4780, to: 4960 }, 5000)).toEqual({ from: 4780, to: 4980 });
  expect(growDown({ from: 4760, to: 4960 }, 5000)).toEqual({ from: 4780, to: 4980 });
});

test("the window that reaches the end follows it again", () => {
  expect(growDown({ from: 4780, to: 4980 }, 5000)).toEqual({ from: 4800, to: END });
});

test("a shorter branch that the window does not reach opens anew", () => {
  expect(fitWindow({ from: 100, to: END }, 60)).toEqual({ from: 20, to: END });
  expect(fitWindow({ from: 20, to: 60 }, 60)).toEqual({ from: 20, to: 60 });
});
