/** The way of docs/signed-in-users.md, with its code: a React shop of another origin whose users sign in and out. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "@playwright/test";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { startProgram } from "../browser/program.ts";
import type { Program } from "../browser/program.ts";
import { installApp } from "../packages/installed-app.ts";
import type { InstalledApp } from "../packages/installed-app.ts";
import { filesOf } from "../packages/page-server.ts";
import { startBrowser } from "../packages/real-browser.ts";
import type { RealBrowser } from "../packages/real-browser.ts";
import { startWalk } from "./https-machine.ts";
import { startModel, startShop } from "./shop-of-users.ts";
import type { Shop, User } from "./shop-of-users.ts";

const walk = startWalk("A React shop whose users sign in");
const projects = walk.take("signed-in-users.md", "The secret of the project");
const route = walk.take("signed-in-users.md", "A route of your server that gives the token");
const assistant = walk.take("signed-in-users.md", "The chat in your React application");

const html = `<!doctype html><html lang="ru"><title>Лавка</title><div id="root"></div>
<script type="module" src="/main.tsx"></script></html>`;

const main = `
import { useCallback, useState } from "react";
import { createRoot } from "react-dom/client";
import { Assistant } from "./assistant";

const json = (path: string) => fetch(path).then((response) => response.json());
const first = await json("/api/me");

function Page() {
  const [user, setUser] = useState<{ id: string } | undefined>(first ?? undefined);
  const become = async (path: string) => {
    await json(path);
    setUser((await json("/api/me")) ?? undefined);
  };
  const addToBasket = useCallback((sku: string) => json("/api/basket?sku=" + sku), []);
  return (
    <main>
      <button onClick={() => void become("/api/login?user=anna")}>Анна</button>
      <button onClick={() => void become("/api/login?user=boris")}>Борис</button>
      <button onClick={() => void become("/api/logout")}>Выйти</button>
      <Assistant user={user} addToBasket={addToBasket} />
    </main>
  );
}

createRoot(document.querySelector("#root")!).render(<Page />);
`;

const users: readonly User[] = [
  { id: "anna", name: "Анна" },
  { id: "boris", name: "Борис" },
];
const secret = "a-secret-of-the-shop-and-the-chat";
const folder = mkdtempSync(join(tmpdir(), "nitka-users-"));
let model: Awaited<ReturnType<typeof startModel>>;
let shop: Shop;
let program: Program;
let app: InstalledApp;
let browser: RealBrowser;

beforeAll(async () => {
  process.env["SHOP_CHAT_SECRET"] = secret;
  const file = join(import.meta.dirname, ".chat-token.mjs");
  writeFileSync(file, route);
  const { chatToken } = (await import(pathToFileURL(file).href)) as {
    readonly chatToken: (user: User) => Promise<string>;
  };
  rmSync(file);
  model = await startModel();
  shop = await startShop(users, chatToken);
  writeFileSync(join(folder, "projects.json"), projects.replace("https://shop.example", shop.url));
  program = await startProgram({
    NITKA_DATA: folder,
    NITKA_CONFIG: join(folder, "projects.json"),
    SHOP_CHAT_SECRET: secret,
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_API_KEY: "none",
    NITKA_MODEL: "scripted",
  });
  [app, browser] = await Promise.all([
    installApp({
      packages: inject("packages"),
      uses: ["@nitka/widget"],
      dependencies: { react: "19.2.8", "react-dom": "19.2.8", vite: "8.3.8" },
      files: {
        "index.html": html,
        "main.tsx": main,
        "assistant.tsx": assistant.replace("https://chat.example", program.url.replace("127.0.0.1", "localhost")),
      },
    }),
    startBrowser(),
  ]);
  await app.run("node_modules/vite/bin/vite.js", "build");
  shop.serve(filesOf(join(app.folder, "dist"), "default-src * data: blob:"));
}, 300_000);

afterAll(async () => {
  await browser?.close();
  await program?.stop();
  await shop?.close();
  await model?.close();
  app?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const become = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const chatOf = (page: Page) => page.locator("nitka-chat");

async function openChat(page: Page): Promise<void> {
  const launcher = chatOf(page).getByRole("button", { name: "Открыть чат" });
  await launcher.waitFor();
  await launcher.click();
  await chatOf(page).getByPlaceholder("Напишите что-нибудь...").waitFor();
}

it("keeps what was asked before the login, acts for the user, and shows it to no other user", async () => {
  const page = await browser.open(shop.url);
  expect(await browser.askOn(page, "Вы открыты завтра?")).toContain("Ответ магазина.");
  walk.answered();

  await become(page, "Анна");
  await openChat(page);
  await chatOf(page).getByText("Вы открыты завтра?").first().waitFor();

  const composer = chatOf(page).getByPlaceholder("Напишите что-нибудь...");
  await composer.fill("Положи в корзину кружку");
  await composer.press("Enter");
  await chatOf(page).getByText("Положить этот товар в корзину?").waitFor();
  expect(shop.baskets).toEqual({});
  await chatOf(page).getByRole("button", { name: "Разрешить" }).click();
  await chatOf(page)
    .getByText(/Готово: .*items/)
    .waitFor();
  expect(shop.baskets).toEqual({ anna: ["mug"] });

  await become(page, "Выйти");
  await openChat(page);
  await chatOf(page).getByText("Привет!").waitFor();
  expect(await chatOf(page).innerText()).not.toMatch(/кружку|завтра/);

  await become(page, "Борис");
  await openChat(page);
  await chatOf(page).getByText("Привет!").waitFor();
  expect(await chatOf(page).innerText()).not.toMatch(/кружку|завтра/);
  await page.context().close();

  const elsewhere = await browser.open(shop.url);
  await become(elsewhere, "Анна");
  await openChat(elsewhere);
  await chatOf(elsewhere).getByText("Положи в корзину кружку").first().waitFor();
  await elsewhere.context().close();
  walk.end();
});
