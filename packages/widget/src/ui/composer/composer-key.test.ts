import { expect, test } from "vitest";
import { composerKey } from "./composer-key.ts";

const press = {
  key: "Enter",
  keyCode: 13,
  altKey: false,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  isComposing: false,
};

test("Enter sends, Shift+Enter breaks the line", () => {
  expect(composerKey(press, false)).toBe("send");
  expect(composerKey({ ...press, shiftKey: true }, false)).toBeUndefined();
});

test("where Enter breaks the line, Enter sends only with Ctrl or Cmd", () => {
  expect(composerKey(press, true)).toBeUndefined();
  expect(composerKey({ ...press, ctrlKey: true }, true)).toBe("send");
  expect(composerKey({ ...press, metaKey: true }, true)).toBe("send");
});

test("keys do nothing while an input method composes a word", () => {
  expect(composerKey({ ...press, isComposing: true }, false)).toBeUndefined();
  expect(composerKey({ ...press, keyCode: 229 }, false)).toBeUndefined();
  expect(composerKey({ ...press, key: "Escape", keyCode: 229 }, false)).toBeUndefined();
});

test("Escape cancels, letters do nothing", () => {
  expect(composerKey({ ...press, key: "Escape", keyCode: 27 }, true)).toBe("cancel");
  expect(composerKey({ ...press, key: "ы", keyCode: 83 }, false)).toBeUndefined();
});

test("ArrowUp edits the last question, and moves the caret with Shift, Alt, Ctrl or Cmd", () => {
  const arrow = { ...press, key: "ArrowUp", keyCode: 38 };
  expect(composerKey(arrow, false)).toBe("editLast");
  for (const key of ["shiftKey", "altKey", "ctrlKey", "metaKey"])
    expect(composerKey({ ...arrow, [key]: true }, false)).toBeUndefined();
});
