import type { WireEvent } from "./backend.ts";
import { gate } from "./backend.ts";
import { both, core, expect, test } from "./fixtures.ts";

/** The events of one call of the tool `weather`. */
function weatherCall(input: object, output: unknown): WireEvent[] {
  return [
    { type: "tool-input-start", toolCallId: "c1", toolName: "weather" },
    { type: "tool-input-delta", toolCallId: "c1", inputTextDelta: JSON.stringify(input) },
    { type: "tool-input-available", toolCallId: "c1", toolName: "weather", input },
    { type: "tool-output-available", toolCallId: "c1", output },
  ];
}

const toggleName = /^Used tool/;

test(
  "the block of a call shows its name, and a toggle for its arguments and its result",
  core,
  async ({ chat, site }) => {
    site.script.answer = () => weatherCall({ city: "Сан-Франциско" }, "ясно, +18");
    await chat.open();
    await chat.converse("Погода?");
    const toggle = chat.answers.getByRole("button", { name: toggleName });
    await test.step("the block shows «Used tool» and the tool's name, and starts collapsed", async () => {
      await expect(toggle).toHaveAttribute("aria-expanded", "false");
      await expect(toggle).toContainText("weather");
      await expect(chat.answers.getByText("Сан-Франциско")).toBeHidden();
      await expect(chat.answers.getByText("Result:")).toBeHidden();
    });

    await test.step("the toggle expands the arguments and «Result:», and collapses them again", async () => {
      await toggle.click();
      await expect(toggle).toHaveAttribute("aria-expanded", "true");
      await expect(chat.answers.getByText(/Сан-Франциско/)).toBeVisible();
      await expect(chat.answers.getByText("Result:")).toBeVisible();
      await expect(chat.answers.getByText("ясно, +18", { exact: true })).toBeVisible();
      await toggle.press("Enter");
      await expect(chat.answers.getByText("Result:")).toBeHidden();
    });
  },
);

test("a result that is not a string is shown as indented JSON", core, async ({ chat, site }) => {
  site.script.answer = () => weatherCall({ city: "Москва" }, { temperature: 18, sky: ["ясно"] });
  await chat.open();
  await chat.converse("Погода?");
  await chat.answers.getByRole("button", { name: toggleName }).click();
  const json = JSON.stringify({ temperature: 18, sky: ["ясно"] }, null, 2);
  const block = chat.answers.locator("pre", { hasText: "temperature" });
  expect((await block.innerText()).trim()).toBe(json);
});

test("a tool call without a result has no «Result:»", async ({ chat }) => {
  await chat.seed({ title: "Разговор" });
  await chat.stub("GET", /\/messages$/, {
    json: [
      { id: "q", role: "user", content: "Погода?" },
      {
        id: "a",
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: "c1", toolName: "weather", argsText: '{"city":"Москва"}' }],
        status: { type: "complete" },
      },
    ],
  });
  await chat.open();
  await chat.answers.getByRole("button", { name: toggleName }).click();
  await expect(chat.answers.getByText(/Москва/)).toBeVisible();
  await expect(chat.answers.getByText("Result:")).toHaveCount(0);
});

test("arguments appear while they stream, and an expanded block stays expanded", async ({ chat, site }) => {
  const [first, second] = [gate(), gate()];
  site.script.answer = async function* () {
    yield { type: "tool-input-start", toolCallId: "c1", toolName: "weather" };
    yield { type: "tool-input-delta", toolCallId: "c1", inputTextDelta: '{"city":' };
    await first.opened;
    yield { type: "tool-input-delta", toolCallId: "c1", inputTextDelta: '"Казань"}' };
    yield { type: "tool-input-available", toolCallId: "c1", toolName: "weather", input: { city: "Казань" } };
    await second.opened;
    yield { type: "tool-output-available", toolCallId: "c1", output: "дождь" };
    yield { type: "text-delta", delta: "В Казани дождь." };
  };
  await chat.open();
  await chat.ask("Погода?");
  const toggle = chat.answers.getByRole("button", { name: toggleName });
  await toggle.click();
  await expect(chat.answers.getByText('{"city":')).toBeVisible();
  first.open();
  await expect(chat.answers.getByText(/Казань/)).toBeVisible();
  second.open();
  await expect(chat.answers.getByText("дождь", { exact: true })).toBeVisible();
  await chat.idle();
  await expect(toggle).toHaveAttribute("aria-expanded", "true");
  await expect(chat.answers).toContainText(["В Казани дождь."]);
});

test("a failed tool call is marked, and its error is the result", async ({ chat, site }) => {
  site.script.answer = () => [
    { type: "tool-input-available", toolCallId: "c1", toolName: "weather", input: { city: "Атлантида" } },
    { type: "tool-output-error", toolCallId: "c1", errorText: "такого города нет" },
    { type: "text-delta", delta: "Не нашлось." },
  ];
  await chat.open();
  await chat.converse("Погода?");
  const toggle = chat.answers.getByRole("button", { name: toggleName });
  await expect(toggle).toContainText("ошибка");
  await toggle.click();
  await expect(chat.answers.getByText("такого города нет")).toBeVisible();
});

test("each tool call has its own block at its place in the text", both, async ({ chat, site }) => {
  site.script.answer = () => [
    { type: "text-start", id: "t1" },
    { type: "text-delta", id: "t1", delta: "Сначала посмотрю." },
    { type: "text-end", id: "t1" },
    { type: "tool-input-available", toolCallId: "c1", toolName: "weather", input: { city: "Москва" } },
    { type: "tool-output-available", toolCallId: "c1", output: "снег" },
    { type: "tool-input-available", toolCallId: "c2", toolName: "clock", input: {} },
    { type: "tool-output-available", toolCallId: "c2", output: "полдень" },
    { type: "text-start", id: "t2" },
    { type: "text-delta", id: "t2", delta: "Снег в полдень." },
    { type: "text-end", id: "t2" },
  ];
  await chat.open();
  await chat.converse("Погода?");
  const toggles = chat.answers.getByRole("button", { name: toggleName });
  await expect(toggles).toHaveText([/weather/, /clock/]);
  await toggles.nth(1).click();
  await expect(chat.answers.getByText("полдень", { exact: true })).toBeVisible();
  await expect(chat.answers.getByText("снег", { exact: true })).toBeHidden();
  const y = async (text: string) => (await chat.answers.getByText(text).boundingBox())?.y ?? 0;
  expect(await y("Сначала посмотрю.")).toBeLessThan((await toggles.first().boundingBox())?.y ?? 0);
  expect(await y("Снег в полдень.")).toBeGreaterThan((await toggles.nth(1).boundingBox())?.y ?? 0);
});

test("arguments and results cannot break out of the block", async ({ chat, site, page }) => {
  site.script.answer = () =>
    weatherCall({ city: "<img src=x onerror=alert(1)>" }, "<script>alert(1)</script>".repeat(200));
  await chat.open();
  await chat.converse("Погода?");
  await chat.answers.getByRole("button", { name: toggleName }).click();
  await expect(chat.answers.getByText("Result:")).toBeVisible();
  await expect(chat.answers.locator("img, script")).toHaveCount(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});
