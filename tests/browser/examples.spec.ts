import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { build } from "vite";
import { ChatPage } from "./chat-page.ts";
import { expect, server, test } from "./fixtures.ts";
import type { Program } from "./program.ts";
import { startProgram } from "./program.ts";

const folder = fileURLToPath(new URL("../../examples/", import.meta.url));

/** The program as the examples' pages expect it: on port 3000, with their origin let in. */
async function openExample(
  page: Page,
  dataFolder: string,
  html: string,
  scripts: ReadonlyMap<string, string>,
): Promise<Program> {
  const program = await startProgram({
    NITKA_CONFIG: `${folder}script-tag/nitka.json`,
    NITKA_DATA: dataFolder,
    NITKA_DEMO_SPEED: "1000",
  });
  await page.route("http://localhost:3000/**", (route) =>
    route.continue({ url: route.request().url().replace("http://localhost:3000/", program.url) }),
  );
  await page.route("http://localhost:8080/**", (route) => {
    const body = scripts.get(new URL(route.request().url()).pathname);
    return body === undefined
      ? route.fulfill({ contentType: "text/html", body: html })
      : route.fulfill({ contentType: "text/javascript", body });
  });
  await page.goto("http://localhost:8080/");
  return program;
}

test("script-tag: a page of another origin, with one script tag", server, async ({ page, site }, { outputDir }) => {
  const html = await readFile(`${folder}script-tag/index.html`, "utf8");
  const program = await openExample(page, outputDir, html, new Map());
  try {
    const chat = new ChatPage(page, site);
    await chat.opened();
    await chat.converse("Привет");
    await expect(page).toHaveURL(/^http:\/\/localhost:8080\/#\/c\/.+/);
    await page.reload();
    await expect(chat.questionTexts).toHaveText(["Привет"]);
    await page.goto("about:blank");
  } finally {
    await program.stop();
  }
});

test(
  "react-page: a component that comes and goes, the widget with it",
  server,
  async ({ page, site }, { outputDir }) => {
    const built = await build({
      root: `${folder}react-page`,
      configFile: false,
      logLevel: "error",
      build: { write: false, rolldownOptions: { input: `${folder}react-page/index.html` } },
    });
    const files = Array.isArray(built) || !("output" in built) ? [] : built.output;
    const scripts = new Map(
      files.flatMap((file) => (file.type === "chunk" ? [[`/${file.fileName}`, file.code] as const] : [])),
    );
    const html = files.flatMap((file) =>
      file.type === "asset" && file.fileName === "index.html" ? [String(file.source)] : [],
    );
    const program = await openExample(page, outputDir, html.join(""), scripts);
    try {
      const chat = new ChatPage(page, site);
      await chat.opened();
      await expect(chat.root).toHaveCount(1);
      await chat.converse("Привет");
      await page.getByRole("button", { name: "Убрать чат" }).click();
      await expect(chat.root).toHaveCount(0);
      await page.getByRole("button", { name: "Вернуть чат" }).click();
      await expect(chat.questionTexts).toHaveText(["Привет"]);
      await page.goto("about:blank");
    } finally {
      await program.stop();
    }
  },
);
