/**
 * The steps of docs/signed-in-users.md, with its code: a React shop whose users sign in and out, and a chat of another origin,
 * both over HTTPS. The commands of the chat's server are those of docs/install.md, to which the page links, for one instance on
 * SQLite.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { root as clone } from "../../scripts/workspace.mjs";
import { installApp } from "../packages/installed-app.ts";
import type { InstalledApp } from "../packages/installed-app.ts";
import { openComposer } from "../packages/real-browser.ts";
import type { RealBrowser } from "../packages/real-browser.ts";
import {
  browserOn,
  CADDY_AUTHORITY,
  shownQuestions,
  startHttpsMachine,
  startWalk,
  untilServed,
} from "./https-machine.ts";
import type { Machine } from "./machine.ts";
import { INSTALL_FILES } from "./server-of-ones-own.ts";

const walk = startWalk("A React shop whose users sign in");
const projects = walk.take("signed-in-users.md", "The secret of the project");
const secret = walk.take("signed-in-users.md", "The chat's server");
const route = walk.take("signed-in-users.md", "A route of your server that gives the token");
const assistant = walk.take("signed-in-users.md", "The chat in your React application");
const list = walk.take("signed-in-users.md", "Try it").replace("curl", "curl --silent");
const names = walk.take("install.md", "The machine", 1);

const html = `<!doctype html><html lang="ru"><title>Лавка</title><link rel="icon" href="data:,"><div id="root"></div>
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
    <main id={user?.id ?? "nobody"}>
      <button onClick={() => void become("/api/login?user=anna")}>Анна</button>
      <button onClick={() => void become("/api/login?user=boris")}>Борис</button>
      <button onClick={() => void become("/api/logout")}>Выйти</button>
      <Assistant user={user} addToBasket={addToBasket} />
    </main>
  );
}

createRoot(document.querySelector("#root")!).render(<Page />);
`;

/** The shop, and the service of the model. */
const sites = `shop.example {
	reverse_proxy /api/* 127.0.0.1:8080
	root * /var/www/shop
	file_server
}
api.openai.com {
	reverse_proxy 127.0.0.1:4000
}
`;
const settings = "/etc/nitka.env";
const tokenModule = `${clone}/tests/ways/.chat-token.mjs`;
let machine: Machine;
let app: InstalledApp;
let browser: RealBrowser;
let page: Page;

beforeAll(async () => {
  // One waits for npm while the other uses the processor.
  await Promise.all([installServer(), buildShop()]);
  machine.copy(join(app.folder, "dist"), "/var/www/shop");
  machine.startCommand(`node ${clone}/tests/ways/model-service.ts 4000`);
});

async function installServer(): Promise<void> {
  const hosts = "chat.example shop.example api.openai.com";
  machine = await startHttpsMachine({ hosts, sites, files: { ...INSTALL_FILES, [tokenModule]: route } });
  await machine.type(`${names}${walk.take("install.md", "The package")}`, { online: true });
}

async function buildShop(): Promise<void> {
  app = await installApp({
    packages: inject("packages"),
    uses: ["@nitka/widget"],
    dependencies: { react: "19.2.8", "react-dom": "19.2.8", vite: "8.3.8" },
    files: { "index.html": html, "main.tsx": main, "assistant.tsx": assistant },
  });
  await app.run("node_modules/vite/bin/vite.js", "build");
}

afterAll(async () => {
  await browser?.close();
  await machine?.stop();
  app?.remove();
});

it("The chat's server starts with the project and its secret, and the shop has the same secret", async () => {
  // Without the role, the database and DATABASE_URL.
  const lines = walk.take("install.md", "Settings, projects and the database").split("\n");
  await machine.type(`${names}${lines.filter((line) => !/^(PASSWORD|runuser|DATABASE_URL)/.test(line)).join("\n")}`);
  machine.write("/etc/nitka/projects.json", projects);
  expect(await machine.type(secret)).toContain("for https://shop.example");
  await machine.type(`install -m 644 ${CADDY_AUTHORITY} /etc/authority.crt`);
  const filled = machine.read(settings).replace("OPENAI_API_KEY=", "OPENAI_API_KEY=sk-of-the-shop");
  machine.write(settings, `${filled}NODE_EXTRA_CA_CERTS=/etc/authority.crt\nNITKA_DRAIN_SECONDS=0\n`);
  const shop = `export $(grep SHOP_CHAT_SECRET ${settings})\nnode ${clone}/tests/ways/shop-of-users.ts 8080 ${tokenModule}`;
  machine.startCommand(shop);
  await machine.type(
    walk
      .take("install.md", "The units")
      .replace(" nitka@3002", "")
      .replace(/^curl .*3002.*\n/m, ""),
  );
  await machine.type(`${names}${walk.take("install.md", "HTTPS with Caddy")}`);
  await untilServed(machine, `--cacert ${CADDY_AUTHORITY} https://chat.example/readyz`);
});

it("The React page answers over HTTPS; a reload keeps the chat, a second visitor sees none of it", async () => {
  browser = await browserOn(machine);
  page = await browser.open("https://shop.example/");
  expect(await browser.askOn(page, "Вы открыты завтра?")).toContain("Ответ магазина.");
  walk.answered();
  await page.reload();
  await expect.poll(() => shownQuestions(page)).toEqual(["Вы открыты завтра?"]);
  const second = await browser.open("https://shop.example/");
  expect(await shownQuestions(second)).toEqual([]);
  await second.context().close();
});

it("A user who logs in keeps the earlier questions, lets the chat fill their basket, and leaves nothing behind", async () => {
  await become(page, "Анна");
  await expect.poll(() => shownQuestions(page)).toEqual(["Вы открыты завтра?"]);
  const chat = page.locator("nitka-chat");
  const composer = chat.getByPlaceholder("Напишите что-нибудь...");
  await composer.fill("Положи в корзину кружку");
  await composer.press("Enter");
  await chat.getByText("Положить этот товар в корзину?").waitFor();
  expect(await baskets()).toEqual({});
  await chat.getByRole("button", { name: "Разрешить" }).click();
  await chat.getByText(/Готово: .*items/).waitFor();
  expect(await baskets()).toEqual({ anna: ["mug"] });

  await become(page, "Выйти");
  await greeting().waitFor();
  expect(await shownQuestions(page)).toEqual([]);
  await become(page, "Борис");
  await greeting().waitFor();
  expect(await shownQuestions(page)).toEqual([]);
  expect(await browser.askOn(page, "Есть чайники?")).toContain("Ответ магазина.");

  const elsewhere = await browser.open("https://shop.example/");
  await become(elsewhere, "Анна");
  await expect.poll(() => shownQuestions(elsewhere)).toEqual(["Вы открыты завтра?", "Положи в корзину кружку"]);
  await elsewhere.context().close();
});

it("Only the route's token opens the user's list", async () => {
  const curl = `export CURL_CA_BUNDLE=${CADDY_AUTHORITY}\n`;
  const token = "TOKEN=$(curl --silent --cookie session=anna https://shop.example/api/chat-token)\n";
  expect(JSON.parse(await machine.type(`${curl}${token}${list}`))).toHaveLength(1);
  expect(await machine.type(`${curl}TOKEN=none\n${list}`)).toContain("unauthorized");
});

it("An upgrade with the commands of the installation lets an answer end, and the chat continues", async () => {
  const backup = "install -d -o nitka /backups\nnitka backup --to /backups/nitka.db\n";
  const upgrade = walk
    .take("install.md", "Upgrade without an interruption")
    .replace("systemctl start nitka-backup\n", backup)
    .replace("systemctl restart nitka@3002\n", "")
    .replace(/^curl .*3002.*\n/m, "");
  const [install = "", replace = ""] = upgrade.split(/^(?=ln -sfn)/m);
  await machine.type(install);
  const answered = browser.askOn(page, "Посчитай до 30");
  const written = () => page.locator("nitka-chat").getByRole("article", { name: "Ассистент:" }).last().innerText();
  await expect.poll(written).toMatch(/\b5\b/);
  const [release = ""] = /^RELEASE=.*\n/m.exec(install) ?? [];
  await machine.type(`${release}${replace}`);
  expect(await answered).toMatch(/\b30\b/);
  expect(await machine.type("nitka --version")).toBe("0.999.0\n");
  await page.reload();
  await expect.poll(() => shownQuestions(page)).toEqual(["Есть чайники?", "Посчитай до 30"]);
});

it("The backup works as the database in another folder, and export and erasure concern only the user", async () => {
  await machine.type("install -d -o nitka /tmp/restored\ninstall -o nitka /backups/nitka.db /tmp/restored/nitka.db");
  const [, restore = ""] = /`(PORT=3999 [^`]*)`/.exec(readFileSync(join(clone, "docs", "operating.md"), "utf8")) ?? [];
  const restored = machine.startCommand(restore);
  await untilServed(machine, "http://127.0.0.1:3999/readyz");
  const token = "TOKEN=$(curl --silent --cookie session=boris http://127.0.0.1:8080/api/chat-token)\n";
  const there = list.replace("https://chat.example", "http://127.0.0.1:3999");
  expect(JSON.parse(await machine.type(`${token}${there}`))).toHaveLength(1);
  restored.kill();

  const erase = walk.take("signed-in-users.md", "Export and erasure of a user (GDPR, 152-FZ)").replaceAll("42", "anna");
  expect(await machine.type(erase, { folder: "/root" })).toContain("Deleted 1 thread of the visitor host:anna");
  expect(machine.read("/root/visitor.json")).toContain("Положи в корзину кружку");
  await page.reload();
  await expect.poll(async () => (await shownQuestions(page)).length).toBeGreaterThan(0);
  await become(page, "Анна");
  await greeting().waitFor();
  expect(await shownQuestions(page)).toEqual([]);
  walk.end();
});

/** The buttons of the page, and who is signed in after a press: the id of its `main`. */
const VISITORS = { Анна: "anna", Борис: "boris", Выйти: "nobody" };

/** Signs in or out, and opens the chat that has started again for that visitor. */
async function become(on: Page, name: keyof typeof VISITORS): Promise<void> {
  await on.getByRole("button", { name, exact: true }).click();
  // React has given the chat its new visitor in the same commit. Before, the chat of the former visitor can still be open.
  await on.locator(`#${VISITORS[name]}`).waitFor();
  await openComposer(on);
}

const greeting = () => page.locator("nitka-chat").getByText("Привет!");

async function baskets(): Promise<unknown> {
  return JSON.parse(await machine.type("curl --silent http://127.0.0.1:8080/baskets"));
}
