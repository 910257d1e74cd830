/** The preview of the site's playground: the widget with a backend inside its page. The site around it is built by `npm run site`. */
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { expect, test } from "./fixtures.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const origin = "http://playground.example";
const types: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

test("the playground's preview answers without a server, and follows what is chosen", async ({ page }, {
  outputDir,
}) => {
  // It builds the page.
  test.slow();
  const preview = join(outputDir, "preview");
  await build({
    root: `${root}site/preview`,
    configFile: false,
    base: "./",
    logLevel: "error",
    build: { outDir: preview, emptyOutDir: true, target: "esnext" },
  });
  const reached: string[] = [];
  await page.route("**/*", async (route) => {
    const { pathname, origin: asked } = new URL(route.request().url());
    const [, folder, name = ""] = /^\/(preview|widget)\/(.*)$/.exec(pathname) ?? [];
    const file = folder === "preview" ? join(preview, name) : join(root, "packages/widget/dist-loud", name);
    const body = await readFile(file).catch(() => undefined);
    if (asked !== origin || folder === undefined || body === undefined) reached.push(route.request().url());
    await route.fulfill(body ? { body, contentType: types[extname(file)] ?? "text/plain" } : { status: 404 });
  });
  await page.goto(`${origin}/preview/index.html`);

  const choose = (choice: object) =>
    page.evaluate((message) => postMessage(message, location.origin), {
      layout: "inline",
      locale: "en",
      colorScheme: "light",
      css: "",
      question: "What is the weather in Lisbon?",
      ...choice,
    });
  const chat = page.locator("nitka-chat");
  const corner = () => chat.evaluate((element) => getComputedStyle(element).getPropertyValue("--nitka-radius-l"));
  await choose({});
  await expect(chat.getByRole("button", { name: /^Used tool get_weather/ })).toBeVisible();
  await expect(chat.getByRole("heading", { name: "Today in Lisbon" })).toBeVisible();
  await expect(chat.getByRole("navigation", { name: "Chats" })).toContainText("Weather in Lisbon");
  expect(await corner()).toBe("18px");

  await choose({ css: "nitka-chat { --nitka-radius-l: 3px }", colorScheme: "dark" });
  await expect(chat).toHaveAttribute("color-scheme", "dark");
  expect(await corner()).toBe("3px");
  // The same chat goes on.
  await expect(chat.getByRole("heading", { name: "Today in Lisbon" })).toBeVisible();

  await choose({ layout: "launcher", locale: "ru" });
  await expect(chat.getByRole("button", { name: "Закрыть чат" })).toBeVisible();
  expect(reached).toEqual([]);
});
