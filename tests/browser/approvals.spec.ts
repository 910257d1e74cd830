/** Several tool calls that wait for the visitor at the same time. */
import { gate, textEvents } from "./backend.ts";
import { core, expect, test } from "./fixtures.ts";
import { atOnce, callServer, watchToolAnswers } from "./visitor-calls.ts";

for (const draft of ["", "Черновик"]) {
  test(
    `a held key decides one call, and not the next ${draft && ", with a draft in the composer"}`,
    core,
    async ({ chat, page }) => {
      const told = watchToolAnswers(page);
      chat.site.script.answer = async function* ({ visitor }) {
        yield* atOnce(
          callServer(visitor, { toolName: "cancel_order", toolCallId: "c1" }),
          callServer(visitor, { toolName: "delete_account", toolCallId: "c2" }),
        );
        yield* textEvents("Готово.");
      };
      await chat.open();
      await chat.ask("Сделай обе вещи");
      const [first, second] = ["cancel_order", "delete_account"].map((tool) =>
        chat.answers.getByRole("group", { name: `Нужно ваше разрешение: ${tool}` }),
      );
      if (!first || !second) throw new Error("no groups");
      await expect(second).toBeVisible();
      await chat.composer.fill(draft);
      await chat.button("Разрешить", first).focus();
      // Each further `down` of a key that is down counts as a repeat.
      for (let repeat = 0; repeat < 3; repeat += 1) await page.keyboard.down("Enter");
      await page.keyboard.up("Enter");
      await expect(second).toBeFocused();
      await expect(first).toHaveCount(0);
      await expect(second).toBeVisible();
      expect(told).toEqual(['{"approved":true}']);

      // From the group, Tab goes through the arguments to the buttons. The last decision moves the focus to the composer.
      await page.keyboard.press("Tab");
      await expect(chat.button("Разрешить", second)).toBeFocused();
      await page.keyboard.press("Tab");
      for (let repeat = 0; repeat < 3; repeat += 1) await page.keyboard.down("Enter");
      await page.keyboard.up("Enter");
      await expect(chat.composer).toBeFocused();
      await chat.idle();
      expect(told).toEqual(['{"approved":true}', '{"approved":false}']);
      await expect(chat.questions).toHaveCount(1);
    },
  );
}

test("an answer is busy while it is written, and not while it waits for the visitor", async ({ chat }) => {
  const held = [gate(), gate(), gate()] as const;
  chat.site.script.answer = async function* ({ visitor }) {
    yield { type: "text-delta", delta: "Смотрю. " };
    await held[0].opened;
    yield* callServer(visitor, { toolName: "cancel_order", toolCallId: "c1" });
    await held[1].opened;
    yield* callServer(visitor, { toolName: "delete_account", toolCallId: "c2" });
    await held[2].opened;
    yield* textEvents("Готово.", "t2");
  };
  await chat.open();
  await chat.ask("Вопрос");
  // Screen readers skip busy content, so the question to the visitor must not be inside it.
  const busy = chat.answers.and(chat.root.locator("[aria-busy=true]"));
  for (const [index, press] of ["Разрешить", "Отклонить"].entries()) {
    await expect(busy).toHaveCount(1);
    held[index]?.open();
    await expect(chat.button(press)).toBeVisible();
    await expect(busy).toHaveCount(0);
    await chat.button(press).click();
  }
  await expect(busy).toHaveCount(1);
  held[2].open();
  await chat.idle();
  await expect(busy).toHaveCount(0);
});

test("the hidden end of a long call fades, but not after scrolling to it", async ({ chat, page }) => {
  const [short, long] = [
    { order: 4521 },
    { items: Array.from({ length: 12 }, (_, index) => `Строка ${index}\n\n`), last: "Конец" },
  ];
  chat.site.script.answer = async function* ({ visitor }) {
    yield* callServer(visitor, { toolName: "cancel_order", toolCallId: "c1", input: short });
    yield* callServer(visitor, { toolName: "delete_account", toolCallId: "c2", input: long });
  };
  await chat.open();
  await chat.ask("Отмени");
  const box = chat.answers.locator(".argument-box");
  const mask = () => box.evaluate((element) => getComputedStyle(element).maskImage);
  await expect(box).toContainText("4521");
  expect(await mask()).toBe("none");
  await chat.button("Разрешить").click();
  await expect(box).toContainText("Строка");
  await expect.poll(mask).toContain("gradient");
  // The distance from the last line's lower edge to the box's, in pixels. The fade is 28.
  const room = () =>
    box.evaluate((element) => {
      const last = element.querySelector("dl")?.lastElementChild;
      return element.getBoundingClientRect().bottom - (last?.getBoundingClientRect().bottom ?? 0);
    });
  expect(await room()).toBeLessThan(0);
  await box.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  expect(await room()).toBeGreaterThanOrEqual(27.5);
  // The focus ring of a box does not fade.
  await box.focus();
  await page.keyboard.press("ArrowUp");
  await expect.poll(mask).toBe("none");
  await chat.stopButton.click();
});
