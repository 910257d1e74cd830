import puppeteer from "puppeteer-core";
import type { LaunchOptions } from "puppeteer-core";
import type { Driver } from "./driver.ts";
import { WINDOW } from "./driver.ts";

/** Chromium over its DevTools protocol. */
export function startChromium(executablePath: string): Promise<Driver> {
  return start({
    browser: "chrome",
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--lang=ru-RU"],
  });
}

/** Firefox over WebDriver BiDi, with these preferences set. */
export function startFirefox(
  executablePath: string,
  preferences: Readonly<Record<string, boolean | string>> = {},
): Promise<Driver> {
  return start({
    browser: "firefox",
    executablePath,
    extraPrefsFirefox: { "intl.accept_languages": "ru-RU, ru", ...preferences },
  });
}

async function start(options: LaunchOptions): Promise<Driver> {
  const browser = await puppeteer.launch({ headless: true, defaultViewport: WINDOW, timeout: 60_000, ...options });
  let page = await browser.newPage();
  return {
    async reset() {
      // Tab can move the focus to the browser's own controls. Firefox returns it only to a new page.
      const before = page;
      page = await browser.newPage();
      await before.close();
    },
    goto: async (url) => void (await page.goto(url, { waitUntil: "domcontentloaded" })),
    run: (body) => page.evaluate(`(() => { ${body} })()`),
    click: (x, y) => page.mouse.click(x, y),
    async press(keys) {
      for (const key of keys) await page.keyboard.down(key);
      for (const key of keys.toReversed()) await page.keyboard.up(key);
    },
    type: (text) => page.keyboard.type(text),
    resize: (width, height) => page.setViewport({ width, height }),
    close: () => browser.close(),
  };
}
