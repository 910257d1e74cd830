import { textEvents } from "../backend.ts";
import { core, expect, test } from "../fixtures.ts";

for (const [what, text, lang] of [
  ["a Russian answer", "Частнопредпринимательский покупатель просит вернуть **деньги**.", "ru"],
  ["a Russian answer with some names", "Откройте Google Chrome и наберите адрес example.com в строке.", "ru"],
  ["an English answer", "Open the settings and press «Готово».", ""],
  ["a Chinese answer", "打开设置，然后按下按钮。", ""],
  ["an answer without words", "42 + 7 = 49", ""],
] as const) {
  test(`${what} has lang="${lang}"`, core, async ({ chat }) => {
    chat.site.script.answer = () => textEvents(text);
    await chat.open();
    await chat.converse("Вопрос");
    await expect(chat.answers.locator(".markdown")).toHaveAttribute("lang", lang);
  });
}

test("the interface's English words have their language on a Russian page", async ({ chat }) => {
  const tool = { type: "tool-input-available", toolCallId: "c", toolName: "weather", input: {} };
  const output = { type: "tool-output-available", toolCallId: "c", output: "ясно" };
  await chat.seed({}, { title: "Разговор", turns: [["Вопрос", () => [tool, output, ...textEvents("```js\n1\n```")]]] });
  await chat.open();
  await chat.answers.getByRole("button", { name: /^Used tool/ }).click();
  for (const words of ["Used tool", "Result:"]) {
    await expect(chat.answers.getByText(words, { exact: true })).toHaveAttribute("lang", "en");
  }
  await expect(chat.button("Copy")).toHaveAttribute("lang", "en");
  await expect(chat.sidebar.getByText("New Chat", { exact: true })).toHaveAttribute("lang", "en");
});

test.describe("in a British browser", () => {
  test.use({ locale: "en-GB" });

  test("dates are British, whether the page or the browser names the language", async ({ chat }) => {
    await chat.seed({ title: "Talk", at: new Date("2026-03-02T09:05:00Z"), turns: [["In spring", "Yes"]] });
    for (const lang of ["en", ""]) {
      const head = `<script>document.documentElement.lang = "${lang}"</script>`;
      await chat.goto("/", { head, options: `{ target: "#chat", locale: "auto" }` });
      await expect(chat.root.locator(".day-line")).toHaveText(/^2 March/);
    }
  });
});
