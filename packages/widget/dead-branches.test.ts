// @vitest-environment node
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { applyEdits } from "./apply-edits.ts";
import type { Unused } from "./dead-branches.ts";
import { deadBranches } from "./dead-branches.ts";
import { EVENTS } from "./react-features.ts";

const nothing: Unused = { cases: {}, constants: {}, values: {}, properties: "", calls: "" };

function trimmed(code: string, unused: Partial<Unused>, loud = false): string {
  return applyEdits(code, deadBranches(code, { ...nothing, ...unused }, [], loud)).replaceAll(/\s+/g, " ");
}

/** The results of a function in the trimmed code for each argument. */
function results(code: string, unused: Partial<Unused>, given: readonly unknown[], loud = false): readonly unknown[] {
  const run = runInNewContext(`"use strict"; ${trimmed(code, unused, loud)}; f`) as (value: unknown) => unknown;
  return given.map(run);
}

const kinds = `function f(fiber) {
  switch (fiber.tag) {
    case 1: return "one";
    case 2: var text = "two"; return text;
    case 3: case 4: text = "three"; break;
    case 5: text = "five";
    case 6: text += " six"; break;
    default: return "other";
  }
  return text;
}`;
const fibers = [1, 3, 5, 7].map((tag) => ({ tag }));

it("cuts cases that never happen, and leaves the others as they were", () => {
  const code = trimmed(kinds, { cases: { ".tag": "2 4" } });
  expect(code).not.toMatch(/case [24]|two/);
  expect(results(kinds, { cases: { ".tag": "2 4" } }, fibers)).toEqual(["one", "three", "five six", "other"]);
});

it("keeps the code of a case into which another one runs on", () => {
  const code = trimmed(kinds, { cases: { ".tag": "6" } });
  expect(code).not.toContain("case 6");
  expect(results(kinds, { cases: { ".tag": "6" } }, fibers)).toEqual(["one", "three", "five six", "other"]);
});

it("knows a switch by its function too, and comparisons by their property", () => {
  const code = `function f(key) { switch (key) { case "style": return 1; case "is": return 2; } return 3; }`;
  expect(results(code, { cases: { f: "is" } }, ["style", "is"])).toEqual([1, 3]);
  const compared = `function f(fiber) { return 4 === fiber.tag || 5 !== fiber.tag; }`;
  expect(trimmed(compared, { cases: { ".tag": "4" } })).toBe("function f(fiber) { return false || 5 !== fiber.tag; }");
});

it("puts the value in place of a variable that keeps it, but not of another one with its name", () => {
  const code = `var on = !1; function f(x) { on = !1; return on && x; } function g(on) { return on; } function h(x) { return x.on; }`;
  expect(trimmed(code, { constants: { on: "false" } })).toBe(
    "var on = !1; function f(x) { (!1); return false && x; } function g(on) { return on; } function h(x) { return x.on; }",
  );
});

it("gives variables other values, and takes out properties and calls", () => {
  const code = `var names = ["a", "b"], hooks = { use: 1, useMemo: 2 }; listen("click", 1); listen("wheel", 2);`;
  expect(trimmed(code, { values: { names: "[]" }, properties: "use", calls: "wheel" })).toBe(
    `var names = [], hooks = { useMemo: 2 }; listen("click", 1); ;`,
  );
});

it("makes the build for the tests throw where something happens that never should", () => {
  expect(() => results(kinds, { cases: { ".tag": "2 4" } }, [{ tag: 4 }], true)).toThrow("trim-react.ts: case 4");
  expect(results(kinds, { cases: { ".tag": "2 4" } }, fibers, true)).toEqual(["one", "three", "five six", "other"]);
  const code = "var on = !1; function f(x) { on = x; return on; }";
  expect(() => results(code, { constants: { on: "false" } }, [true], true)).toThrow("trim-react.ts: on changes");
});

it("refuses names that the file does not have, and other changes of a constant", () => {
  expect(() => trimmed(kinds, { constants: { gone: "0" } })).toThrow("React has no gone any more");
  expect(() => trimmed("var n = 0; function f() { n++; }", { constants: { n: "0" } })).toThrow("n changes by n++.");
});

/** The attributes in the widget's JSX, of elements and of components. */
const attributes = new Set(
  globSync(join(import.meta.dirname, "src/**/*.tsx")).flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\s(\w+)=[{"]/g)].map(([, name = ""]) => name),
  ),
);
const react = readFileSync(
  require.resolve("react-dom/client").replace("client.js", "cjs/react-dom-client.production.js"),
  "utf8",
);

it("the widget listens to no other event of React's list", () => {
  const list = /simpleEventPluginEvents =\s*"([^"]+)"/.exec(react)?.[1]?.split(" ") ?? [];
  const others = `${list.join(" ")} animationEnd animationStart doubleClick select beforeInput compositionEnd compositionStart`;
  const unheard = others.split(" ").filter((event) => !EVENTS.split(" ").includes(event));
  const props = unheard.map((event) => `on${event.charAt(0).toUpperCase()}${event.slice(1)}`);
  expect(list.length).toBeGreaterThan(60);
  expect(props.filter((name) => attributes.has(name))).toEqual([]);
  expect(attributes).toContain("onPaste");
});

it("the widget has no attribute that React calls otherwise than HTML", () => {
  const list = [...react.matchAll(/\["(\w+)", "[\w:-]+"\]/g)].map(([, name = ""]) => name);
  expect(list.length).toBeGreaterThan(70);
  expect(list.filter((name) => attributes.has(name))).toEqual([]);
});
