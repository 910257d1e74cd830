/** Renderers that throw, reject or are invalid. */
import { gate, textEvents } from "../backend.ts";
import { expect, test } from "../fixtures.ts";
import { containers, failures, input, openWith, output } from "../host-renderers.ts";

const failing = [
  ["the call", `() => { throw new Error("сломан") }`],
  ["a promise", `async () => { throw new Error("сломан") }`],
  ["update", `() => ({ update() { throw new Error("сломан") }, destroy() { throw new Error("ещё раз") } })`],
  ["a promise of update", `() => ({ update: async () => { throw new Error("сломан") } })`],
  ["the end before a new call", `() => () => { throw new Error("сломан") }`],
  ["a promise of destroy", `() => ({ destroy: async () => { throw new Error("сломан") } })`],
] as const;

for (const [what, renderer] of failing) {
  test(`a renderer that fails in ${what} is replaced by our own view, and the page gets one error`, async ({
    chat,
    page,
    site,
    console,
  }) => {
    console.allow(/сломан/);
    const held = gate();
    site.script.answer = async function* () {
      yield input;
      await held.opened;
      yield output;
      yield* textEvents("Готово.");
    };
    await openWith(chat, `{ "tool:order": ${renderer} }`);
    await chat.ask("Где заказ?");
    // A view that only fails later has to exist before its part changes.
    await expect.poll(async () => (await containers(page)) + (await failures(page)).length).toBeGreaterThan(0);
    held.open();
    await expect(chat.answers.getByText("Used tool order")).toBeVisible();
    await chat.idle();
    await expect.poll(() => containers(page)).toBe(0);
    expect(await failures(page)).toEqual([`Nitka: the renderer "tool:order" failed: сломан`]);
  });
}

test("a view that fails when its message disappears causes one error and leaves nothing", async ({
  chat,
  page,
  console,
  site,
}) => {
  console.allow(/сломан/);
  site.script.answer = () => [input, output];
  await openWith(chat, `{ "tool:order": () => () => { throw new Error("сломан") } }`);
  await chat.converse("Где заказ?");
  await chat.newThreadButton.click();
  await expect.poll(() => containers(page)).toBe(0);
  await expect.poll(() => failures(page)).toEqual([`Nitka: the renderer "tool:order" failed: сломан`]);
});

test("renderers with an invalid name are reported to the page, and the others are used", async ({
  chat,
  page,
  site,
  console,
}) => {
  console.allow(/renderers/);
  site.script.answer = () => [input, output];
  await openWith(chat, `{ order: updated, "tool:order": updated, "data:y": null }`);
  await chat.converse("Где заказ?");
  await expect(page.locator(".own")).toBeVisible();
  expect(await failures(page)).toEqual([
    `Nitka: renderers has a name that is not like tool:…, data:… or code:…: "order".`,
  ]);
});
