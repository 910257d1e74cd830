/** What a visitor is told beside the composer: the line that an AI answers. */
import { expect, test } from "./fixtures.ts";

test("a line below the composer says that an AI answers, with the host's text and link", async ({ chat, page }) => {
  const line = chat.root.locator(".ai-notice");
  await test.step("by default in the widget's words, without a link", async () => {
    await chat.open();
    await expect(line).toHaveText("Отвечает ИИ и может ошибаться.");
    await expect(line.getByRole("link")).toHaveCount(0);
  });
  await test.step("with a link to the host's page", async () => {
    await chat.config({ notice: { text: "Отвечает робот.", url: "/about-ai" } });
    await chat.open();
    await expect(line).toHaveText("Отвечает робот. Подробнее");
    const link = line.getByRole("link", { name: "Подробнее" });
    await expect(link).toHaveAttribute("href", "/about-ai");
    await expect(link).toHaveAttribute("target", "_blank");
  });
  await test.step("whose address is no script", async () => {
    await chat.config({ notice: { url: "javascript:alert(1)" } });
    await chat.open();
    await expect(line.getByRole("link")).toHaveCount(0);
  });
  await test.step("and not at all where the backend names none", async () => {
    await page.unrouteAll();
    await page.route("**/api/projects/*/config", (route) => route.fulfill({ json: {} }));
    await chat.open();
    await expect(line).toHaveCount(0);
  });
});
