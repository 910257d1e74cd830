/** The widget on its page, as a visitor sees it. */
import type { Browser } from "@playwright/test";
import { openPage } from "./measured-page.ts";
import type { MeasuredPage } from "./measured-page.ts";
import { endOf, questionFor } from "./site.ts";
import type { Order, Site } from "./site.ts";

export async function openChat(browser: Browser, site: Site, threadId: string): Promise<MeasuredPage> {
  const measured = await openPage(browser, `${site.origin}/c/${threadId}`);
  await measured.page.getByPlaceholder("Напишите что-нибудь...").waitFor();
  return measured;
}

/** Sends a question. Resolves when the whole answer is on the page. */
export async function converse({ page }: MeasuredPage, order: Order): Promise<void> {
  const answers = await page.locator(".assistant-message").count();
  const composer = page.getByPlaceholder("Напишите что-нибудь...");
  await composer.fill(questionFor(order));
  await composer.press("Enter");
  await page.waitForFunction(
    ({ count, words }) => {
      const root = document.querySelector("nitka-chat")?.shadowRoot;
      const all = [...(root?.querySelectorAll(".assistant-message") ?? [])];
      const answer = all.at(-1);
      if (all.length <= count || answer?.matches("[data-running]")) return false;
      const blocks = [...(answer?.querySelector(".markdown")?.children ?? [])];
      return blocks.slice(-2).some((block) => block.textContent.includes(words));
    },
    { count: answers, words: endOf(order.chars) },
    { polling: 100, timeout: 600_000 },
  );
}
