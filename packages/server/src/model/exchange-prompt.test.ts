import { describe, expect, it } from "vitest";
import { exchangePrompt } from "./ask-about-exchange.ts";

describe("exchangePrompt", () => {
  it("contains the first question and the beginning of its answer", () => {
    const prompt = exchangePrompt([
      { id: "1", role: "user", content: "Как дела?" },
      { id: "2", role: "assistant", content: "Хорошо. ".repeat(1_000) },
      { id: "3", role: "user", content: "А теперь?" },
    ]);
    expect(prompt).toMatch(/^<visitor>\nКак дела\?\n<\/visitor>\n<assistant>\nХорошо\. /);
    expect(prompt?.length).toBeLessThan(2_000);
  });

  it("is undefined when the question has no text", () => {
    expect(exchangePrompt([{ id: "1", role: "user", content: "" }])).toBeUndefined();
  });
});
