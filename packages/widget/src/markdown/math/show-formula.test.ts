import { expect, it } from "vitest";
import { showFormula } from "./show-formula.ts";

it.each<[string, string, string]>([
  ["as a formula", "$x^2$", "formula"],
  ["as its source when it is no TeX", "$\\frac{1$", "markdown-source"],
  ["as a formula with 5,000 characters", `$${"a".repeat(4998)}$`, "formula"],
  ["as its source with a character more", `$${"a".repeat(4999)}$`, "markdown-source"],
])("is shown %s", (_, source, className) => {
  const place = document.createElement("span");
  showFormula(place, source);
  expect([place.className, place.querySelector("math") !== null]).toEqual([className, className === "formula"]);
  expect(place.lastChild?.textContent).toBe(source);
});

it("is selected with its source, which is not visible and is not read out", () => {
  const place = document.createElement("span");
  showFormula(place, "$x^2$");
  const [shown, selected] = place.children as unknown as readonly HTMLElement[];
  expect([shown?.style.userSelect, shown?.textContent]).toEqual(["none", "x2"]);
  expect([selected?.style.position, selected?.ariaHidden, selected?.textContent]).toEqual([
    "absolute",
    "true",
    "$x^2$",
  ]);
});
