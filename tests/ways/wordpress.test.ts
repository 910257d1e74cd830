/**
 * docs/embedding.md and docs/knowledge.md, «WordPress», on a real WordPress site (`wordpress/wordpress-site.ts`), with a chat
 * server as in docs/install.md: one instance on SQLite, the key of a model, HTTPS.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root as clone } from "../../scripts/workspace.mjs";
import { codeIn } from "../docs-code.ts";
import type { RealBrowser } from "../packages/real-browser.ts";
import { browserOn, CADDY_AUTHORITY, shownQuestions, startHttpsMachine, startWalk } from "./https-machine.ts";
import type { Machine } from "./machine.ts";
import { INSTALL_FILES } from "./server-of-ones-own.ts";
import {
  findWordPressPrograms,
  logIn,
  logOut,
  startWordPress,
  WORDPRESS,
  WORDPRESS_SITE,
} from "./wordpress/wordpress-site.ts";

const plugins = `${WORDPRESS}/wp-content/mu-plugins`;
const config = `${WORDPRESS}/wp-config.php`;
const settings = "/etc/nitka.env";
const projects = "/etc/nitka/projects.json";
const walk = startWalk("WordPress");
const names = walk.take("install.md", "The machine", 1);

let machine: Machine;
let browser: RealBrowser;
let customer: Page;

beforeAll(async () => {
  await findWordPressPrograms();
  machine = await startHttpsMachine({
    hosts: "chat.example shop.example api.openai.com",
    sites: `${WORDPRESS_SITE}api.openai.com {\n\treverse_proxy 127.0.0.1:4000\n}\n`,
    files: INSTALL_FILES,
  });
  machine.startCommand(`node ${clone}/tests/ways/model-service.ts 4000`);
  await startWordPress(machine);
});
afterAll(async () => {
  await browser?.close();
  await machine?.stop();
});

it("The commands of the page start one instance without Postgres, with your own key", async () => {
  await machine.type(`${names}${walk.take("install.md", "The package")}`, { online: true });
  // Without the role, the database and DATABASE_URL.
  const lines = walk.take("install.md", "Settings, projects and the database").split("\n");
  const withoutPostgres = lines.filter((line) => !/^(PASSWORD|runuser|DATABASE_URL)/.test(line)).join("\n");
  await machine.type(`${names}${withoutPostgres}`);
  await machine.type(`install -m 644 ${CADDY_AUTHORITY} /etc/authority.crt`);
  const filled = machine.read(settings).replace("OPENAI_API_KEY=", "OPENAI_API_KEY=sk-of-the-shop");
  const secret = `SHOP_CHAT_SECRET=${SECRET}`;
  machine.write(settings, `${filled}NODE_EXTRA_CA_CERTS=/etc/authority.crt\nNITKA_DRAIN_SECONDS=0\n${secret}\n`);
  await machine.type(
    walk
      .take("install.md", "The units")
      .replace(" nitka@3002", "")
      .replace(/^.*3002\/readyz\n/m, ""),
  );
  await machine.type(`${names}${walk.take("install.md", "HTTPS with Caddy")}`);
  expect(
    await machine.type(
      `curl --fail --silent --output /dev/null --write-out '%{http_code}' --retry 60 --retry-delay 1 --retry-all-errors --cacert ${CADDY_AUTHORITY} https://chat.example/readyz`,
    ),
  ).toBe("200");
});

it("The file of the page answers on each page of the site; a reload keeps the chat, a second visitor sees none of it", async () => {
  machine.write(`${plugins}/nitka.php`, walk.take("embedding.md", "WordPress"));
  browser = await browserOn(machine);
  const anonymous = await browser.open("https://shop.example/dostavka/?utm=1");
  expect(await browser.askOn(anonymous, "Вы открыты завтра?")).toContain("Ответ магазина.");
  walk.answered();
  await anonymous.reload();
  expect(anonymous.url()).toBe("https://shop.example/dostavka/?utm=1");
  await expect.poll(() => shownQuestions(anonymous)).toEqual(["Вы открыты завтра?"]);
  const second = await browser.open("https://shop.example/");
  expect(await shownQuestions(second)).toEqual([]);
  await Promise.all([anonymous.context().close(), second.context().close()]);
});

it("A customer who logs in keeps the chat, has it in another browser, and leaves nothing behind at logout", async () => {
  machine.write(`${plugins}/nitka.php`, walk.take("embedding.md", "WordPress", 1));
  machine.write(`${plugins}/chat-token.php`, walk.take("signed-in-users.md", ROUTE, 2));
  const [, before = "", after = ""] = /`(putenv\('SHOP_CHAT_SECRET=)…('\);)`/.exec(EMBEDDING) ?? [];
  const line = `${before}${SECRET}${after}`;
  machine.write(config, machine.read(config).replace("<?php", `<?php\n${line}`));
  machine.write(projects, walk.take("signed-in-users.md", "The secret of the project"));
  await machine.type("systemctl reload nitka@3001");

  customer = await browser.open("https://shop.example/");
  expect(await browser.askOn(customer, "Есть кружки?")).toContain("Ответ магазина.");
  await logIn(customer, "anna");
  await expect.poll(() => shownQuestions(customer)).toEqual(["Есть кружки?"]);
  expect(await browser.askOn(customer, "А чайники?")).toContain("Ответ магазина.");
  // The chat is only on the site's own pages. Its administration and login pages have no chat.
  await logOut(customer, async () => expect(await customer.locator("nitka-chat").count()).toBe(0));
  expect(await customer.locator("nitka-chat").count()).toBe(0);
  await customer.goto("https://shop.example/");
  expect(await shownQuestions(customer)).toEqual([]);

  const elsewhere = await browser.open("https://shop.example/");
  await logIn(elsewhere, "anna");
  await expect.poll(() => shownQuestions(elsewhere)).toEqual(["Есть кружки?", "А чайники?"]);
  await logOut(elsewhere);
  await logIn(elsewhere, "boris");
  expect(await shownQuestions(elsewhere)).toEqual([]);
  await elsewhere.context().close();
});

it("The token's address returns nothing without the nonce, and pages of customers are not cached", async () => {
  await logIn(customer, "anna");
  const cookies = await customer.context().cookies("https://shop.example/wp-json/");
  const cookie = `--cookie '${cookies.map(({ name, value }) => `${name}=${value}`).join("; ")}'`;
  const get = (path: string, header = "") =>
    machine.type(`curl --silent --include --cacert ${CADDY_AUTHORITY} ${header} 'https://shop.example${path}'`);
  const token = "/wp-json/shop/v1/chat-token";
  expect(await get(token, cookie)).toMatch(/^HTTP\/2 401 .*"code":"rest_forbidden"/s);
  expect(await get(token, `${cookie} --header 'X-WP-Nonce: of-another'`)).toMatch(/^HTTP\/2 403 .*_invalid_nonce"/s);
  const renewal = "/wp-admin/admin-ajax.php?action=rest-nonce";
  expect(await get(renewal, `${cookie} --header 'Origin: https://other.example'`)).not.toMatch(/allow-origin/i);
  expect(await get(renewal)).toMatch(/^HTTP\/2 400 /);
  expect(await get("/dostavka/", cookie)).toMatch(/^cache-control: no-cache.*"nonce":"/ms);
  const ofNobody = await get("/dostavka/");
  expect(ofNobody).toContain("})(null);");
  expect(ofNobody).not.toMatch(/^(set-cookie|cache-control):/im);
});

it("A page that was open for longer than its nonce lives still gets a token", async () => {
  machine.write(`${plugins}/short-nonces.php`, "<?php\nadd_filter('nonce_life', fn () => 4);\n");
  await customer.goto("https://shop.example/");
  await expect.poll(() => shownQuestions(customer)).toEqual(["Есть кружки?", "А чайники?"]);
  await sleep(5000);
  // The page's own token is not accepted any more either.
  for (const path of [config, settings])
    machine.write(path, machine.read(path).replaceAll(SECRET, `another-${SECRET}`));
  await machine.type("systemctl restart nitka@3001");
  const chat = customer.locator("nitka-chat");
  await chat.getByPlaceholder("Напишите что-нибудь...").fill("Вы ещё здесь?");
  await customer.keyboard.press("Enter");
  const answers = chat.getByRole("article", { name: "Ассистент:" });
  await expect.poll(async () => (await answers.allInnerTexts())[2]).toContain("Ответ магазина.");
  machine.write(`${plugins}/short-nonces.php`, "<?php\n");
});

it("The commands of the page upgrade the one instance, and the chat continues", async () => {
  const upgrade = walk
    .take("install.md", "Upgrade without an interruption")
    .replace("systemctl start nitka-backup\n", "install -d -o nitka /backups\nnitka backup --to /backups/nitka.db\n")
    .replace("systemctl restart nitka@3002\n", "")
    .replace(/^.*3002\/readyz\n/m, "");
  await machine.type(upgrade);
  expect(await machine.type("nitka --version")).toBe("0.999.0\n");
  customer = await browser.open("https://shop.example/");
  await logIn(customer, "anna");
  await expect.poll(() => shownQuestions(customer)).toEqual(["Есть кружки?", "А чайники?", "Вы ещё здесь?"]);
  expect(await browser.askOn(customer, "Спасибо!")).toContain("Ответ магазина.");
});

it("From the site's own map to a cited answer", async () => {
  const file = JSON.parse(machine.read(projects)) as { projects: { shop: object } };
  const exclude: unknown = JSON.parse(/`"exclude": (\[.*?\])`/s.exec(KNOWLEDGE)?.[1] ?? "");
  // The demo model says what it finds and cites it.
  Object.assign(file.projects.shop, { model: "demo", knowledge: { sources: [{ sitemap: MAP, exclude }] } });
  machine.write(projects, JSON.stringify(file));
  await machine.type("systemctl reload nitka@3001");
  // The authority is in the settings' file alone.
  const nitka = (words: string) => machine.type(`unset NODE_EXTRA_CA_CERTS\nnitka ${words} --project shop`);
  expect(await nitka("ingest")).toContain("\n5 new, 0 changed, 0 unchanged, 0 gone, 0 failed\n");
  const post = "https://shop.example/%d0%bf%d1%80%d0%b8%d0%b2%d0%b5%d1%82-%d0%bc%d0%b8%d1%80/";
  const passages = await nitka(`knowledge --page ${post}`);
  expect(passages).toContain("This is your first post.");
  // The first post has a comment of «A WordPress Commenter».
  expect(passages).not.toContain("Commenter");
  const page = await browser.open("https://shop.example/");
  const answer = await browser.askOn(page, "Сколько стоит доставка курьером?");
  expect(answer).toContain("привозит заказ за два дня и берёт 300 рублей [1].");
  const source = page.locator("nitka-chat").getByRole("link", { name: "Источник 1: Доставка" }).first();
  expect(await source.getAttribute("href")).toMatch(/^https:\/\/shop\.example\/dostavka\//);
  await page.context().close();
});

it("The backup works as the database in another folder, and erasure concerns only the customer", async () => {
  await machine.type("install -d -o nitka /tmp/restored\ninstall -o nitka /backups/nitka.db /tmp/restored/nitka.db");
  const [, restore = ""] = /`(PORT=3999 [^`]*)`/.exec(OPERATING) ?? [];
  const restored = machine.startCommand(restore);
  await machine.type("curl --fail --silent --retry 60 --retry-delay 1 --retry-all-errors http://127.0.0.1:3999/readyz");
  const erase = walk
    .take("install.md", "Export and erasure of a visitor (GDPR, 152-FZ)")
    .replaceAll("host:42", "host:42 --project shop");
  expect(await machine.type(`export NITKA_DATA=/tmp/restored\n${erase.split("\n")[0]?.replace(/ >.*/, "")}`)).toContain(
    "А чайники?",
  );
  restored.kill();
  expect(await machine.type(erase, { folder: "/root" })).toContain("Deleted 1 thread of the visitor host:42");
  await customer.reload();
  expect(await shownQuestions(customer)).toEqual([]);
  walk.end();
});

it("The page in Russian has the same files", () => {
  expect(codeIn("ru/embedding.md", "WordPress")).toEqual(codeIn("embedding.md", "WordPress"));
});

const ROUTE = "A route of your server that gives the token";
const EMBEDDING = readFileSync(join(clone, "docs", "embedding.md"), "utf8");
const SECRET = "a-secret-of-the-shop-and-the-chat";
const OPERATING = readFileSync(join(clone, "docs", "operating.md"), "utf8");
const KNOWLEDGE = readFileSync(join(clone, "docs", "knowledge.md"), "utf8");
const MAP = "https://shop.example/wp-sitemap.xml";
