import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { questionData } from "./question-data.ts";

it("The documentation shows the data of a question word for word", () => {
  const told = questionData({
    pageContext: { product: "Чашка", price: 900 },
    shownClaims: { name: "Анна", plan: "pro" },
  });
  const documented = readFileSync(new URL("../../../../../docs/extending.md", import.meta.url), "utf8");
  expect(documented).toContain(`\`\`\`\n${told}\n\`\`\``);
});
