// @vitest-environment node
import { expect, it } from "vitest";
import { checkTools } from "./page-offer.ts";
import type { NitkaTools } from "./page-offer.ts";

const tool = { description: "Buys", parameters: { type: "object" } };

/** The names of the usable tools, and what was reported. */
function check(tools: object) {
  const reported: string[] = [];
  const usable = checkTools(tools as NitkaTools, ({ message }) => reported.push(message));
  return { usable: Object.keys(usable), reported };
}

it("tools with all of their fields, and with the required ones alone, are usable", () => {
  const buy = { ...tool, title: "Купить", confirm: "Купить?", repeatable: false, execute: () => 1 };
  const pick = { ...tool, title: null, confirm: true, execute: undefined };
  expect(check({ buy, pick })).toEqual({ usable: ["buy", "pick"], reported: [] });
});

it.each([
  [{ купить: tool }, `a tool's name must be 1 to 64 of A-Z a-z 0-9 _ -, not "купить".`],
  [{ buy: null }, "tools.buy.description must be string, not of the type undefined."],
  [{ buy: { ...tool, parameters: [] } }, "tools.buy.parameters must be object, not of the type array."],
  [{ buy: { ...tool, execute: "run" } }, 'tools.buy.execute must be function or undefined, not "run".'],
  [{ buy: { ...tool, confirm: 1 } }, "tools.buy.confirm must be boolean, string or undefined, not 1."],
  [{ buy: { ...tool, repeatable: "yes" } }, 'tools.buy.repeatable must be boolean or undefined, not "yes".'],
  [{ buy: { ...tool, title: {} } }, "tools.buy.title must be string or undefined, not of the type object."],
])("a wrong tool is left out and named, and the others are usable (%o)", (wrong, reason) => {
  expect(check({ ...wrong, look: tool })).toEqual({ usable: ["look"], reported: [`Nitka: ${reason}`] });
});

it("if there are more than 32 tools, the first 32 are usable", () => {
  const { usable, reported } = check(Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`t${index}`, tool])));
  expect([usable.length, reported]).toEqual([32, ["Nitka: tools must be at most 32, not 33."]]);
});
