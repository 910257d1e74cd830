import { chromium } from "@playwright/test";
import type { Locator, Page } from "@playwright/test";
import { findBrowser } from "../../scripts/find-browser.mjs";

/** A browser that asks the chat of a page. */
export interface RealBrowser {
  /**
   * Opens a page in a new window, asks its chat and returns the answer. Throws if the page or the chat reports an error, or
   * there is no answer.
   */
  ask(url: string, question: string): Promise<string>;
  /** The same for an open page. */
  askOn(page: Page, question: string): Promise<string>;
  /** Opens a page. Errors that it reports are thrown. */
  open(url: string): Promise<Page>;
  close(): Promise<void>;
}

/** The time-out for a page on a busy machine. */
const PATIENCE_MS = 60_000;

/** The time-out of a press on the launcher, which may be lost because the previous press is just opening the chat. */
const PRESS_MS = 1_000;

export interface BrowserOptions {
  /** The program to start. By default the installed browser. */
  readonly executablePath?: string;
  readonly args?: readonly string[];
}

export async function startBrowser({ executablePath, args = [] }: BrowserOptions = {}): Promise<RealBrowser> {
  const browser = await chromium.launch({
    executablePath: executablePath ?? (await findBrowser()),
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", ...args],
  });
  const errors = new WeakMap<Page, string[]>();

  const open = async (url: string) => {
    const context = await browser.newContext({ locale: "ru-RU", viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const seen: string[] = [];
    errors.set(page, seen);
    page.on("pageerror", ({ message }) => seen.push(message));
    page.on("console", (message) => message.type() === "error" && seen.push(message.text()));
    await page.goto(url);
    return page;
  };

  const askOn = async (page: Page, question: string) => {
    const chat = page.locator("nitka-chat");
    const composer = await openComposer(page);
    const answers = chat.getByRole("article", { name: "Ассистент:" });
    const before = await answers.count();
    await composer.fill(question);
    await composer.press("Enter");
    // A settled answer has a copy button.
    const answer = answers.nth(before);
    await answer.getByRole("button", { name: "Копировать" }).first().waitFor({ state: "attached" });
    const text = await answer.innerText();
    const reported = errors.get(page) ?? [];
    if (reported.length > 0) throw new Error(`${page.url()} reported:\n${reported.join("\n")}`);
    return text;
  };

  return {
    open,
    askOn,
    async ask(url, question) {
      const page = await open(url);
      try {
        return await askOn(page, question);
      } finally {
        await page.context().close();
      }
    },
    close: () => browser.close(),
  };
}

/** Opens the chat of a page unless it is open, and returns its input. */
export async function openComposer(page: Page): Promise<Locator> {
  const chat = page.locator("nitka-chat");
  const composer = chat.getByPlaceholder("Напишите что-нибудь...");
  const launcher = chat.getByRole("button", { name: "Открыть чат" });
  for (;;) {
    await composer.or(launcher).filter({ visible: true }).first().waitFor();
    if (await composer.isVisible()) return composer;
    await launcher.click({ timeout: PRESS_MS }).catch(() => undefined);
  }
}
