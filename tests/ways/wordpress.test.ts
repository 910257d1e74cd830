/**
 * docs/embedding.md, «WordPress», on a site that stands in for WordPress (`wordpress/index.php`), with a chat server of docs/install.md:
 * one instance on SQLite, the key of a model, HTTPS.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findDebianProgram } from "../../scripts/debian-packages.mjs";
import { root as clone } from "../../scripts/workspace.mjs";
import { codeIn } from "../docs-code.ts";
import type { RealBrowser } from "../packages/real-browser.ts";
import { browserOn, CADDY_AUTHORITY, shownQuestions, startHttpsMachine, startWalk } from "./https-machine.ts";
import type { Machine } from "./machine.ts";
import { INSTALL_FILES } from "./server-of-ones-own.ts";

const site = "/var/www/wordpress";
const plugin = `${site}/wp-content/mu-plugins/nitka.php`;
const settings = "/etc/nitka.env";
const sites = `shop.example {
	reverse_proxy 127.0.0.1:8080
}
api.openai.com {
	reverse_proxy 127.0.0.1:4000
}
`;
const walk = startWalk("WordPress");
const names = walk.take("install.md", "The machine", 1);

let machine: Machine;
let browser: RealBrowser;
let customer: Page;

beforeAll(async () => {
  await findDebianProgram("php", "PHP, to walk the way of WordPress", "php-cli");
  const theme = readFileSync(join(import.meta.dirname, "wordpress", "index.php"), "utf8");
  machine = await startHttpsMachine({
    hosts: "chat.example shop.example api.openai.com",
    sites,
    files: { ...INSTALL_FILES, [`${site}/index.php`]: theme, [`${site}/wp-config.php`]: "<?php\n" },
  });
  machine.startCommand(`node ${clone}/tests/ways/model-service.ts 4000`);
  // A file that was replaced is read at once.
  machine.startCommand(`php -d opcache.enable=0 -S 127.0.0.1:8080 -t ${site} ${site}/index.php`);
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await machine?.stop();
}, 60_000);

it("One instance without Postgres, with a key of one's own, comes up by the commands of the page", async () => {
  await machine.type(`${names}${walk.take("install.md", "The package")}`, { online: true });
  // Without the role, the database and DATABASE_URL.
  const lines = walk.take("install.md", "Settings, projects and the database").split("\n");
  const withoutPostgres = lines.filter((line) => !/^(PASSWORD|runuser|DATABASE_URL)/.test(line)).join("\n");
  await machine.type(`${names}${withoutPostgres}`);
  await machine.type(`install -m 644 ${CADDY_AUTHORITY} /etc/authority.crt`);
  const filled = machine.read(settings).replace("OPENAI_API_KEY=", "OPENAI_API_KEY=sk-of-the-shop");
  const secret = "SHOP_CHAT_SECRET=a-secret-of-the-shop-and-the-chat";
  machine.write(settings, `${filled}NODE_EXTRA_CA_CERTS=/etc/authority.crt\nNITKA_DRAIN_SECONDS=0\n${secret}\n`);
  await machine.type(walk.take("install.md", "The units").replace(" nitka@3002", ""));
  await machine.type(`${names}${walk.take("install.md", "HTTPS with Caddy")}`);
  expect(
    await machine.type(
      `curl --fail --silent --output /dev/null --write-out '%{http_code}' --retry 60 --retry-delay 1 --retry-all-errors --cacert ${CADDY_AUTHORITY} https://chat.example/readyz`,
    ),
  ).toBe("200");
});

it("The file of the page answers on each page of the site; a reload keeps the chat, a second visitor sees none of it", async () => {
  machine.write(plugin, walk.take("embedding.md", "WordPress"));
  browser = await browserOn(machine);
  const anonymous = await browser.open("https://shop.example/kontakty/?utm=1");
  expect(await browser.askOn(anonymous, "Вы открыты завтра?")).toContain("Ответ магазина.");
  walk.answered();
  await anonymous.reload();
  expect(anonymous.url()).toBe("https://shop.example/kontakty/?utm=1");
  await expect.poll(() => shownQuestions(anonymous)).toEqual(["Вы открыты завтра?"]);
  const second = await browser.open("https://shop.example/");
  expect(await shownQuestions(second)).toEqual([]);
  await Promise.all([anonymous.context().close(), second.context().close()]);
});

it("A customer who logs in keeps the chat, has it in another browser, and leaves nothing behind at logout", async () => {
  machine.write(plugin, walk.take("embedding.md", "WordPress", 1));
  machine.write(plugin.replace("nitka.php", "chat-token.php"), walk.take("signed-in-users.md", ROUTE, 2));
  const [, before = "", after = ""] = /`(putenv\('SHOP_CHAT_SECRET=)…('\);)`/.exec(EMBEDDING) ?? [];
  machine.write(`${site}/wp-config.php`, `<?php\n${before}a-secret-of-the-shop-and-the-chat${after}\n`);
  machine.write("/etc/nitka/projects.json", walk.take("signed-in-users.md", "The secret of the project"));
  await machine.type("systemctl reload nitka@3001");

  customer = await browser.open("https://shop.example/");
  expect(await browser.askOn(customer, "Есть кружки?")).toContain("Ответ магазина.");
  await customer.goto("https://shop.example/wp-login.php?user=42");
  await expect.poll(() => shownQuestions(customer)).toEqual(["Есть кружки?"]);
  expect(await browser.askOn(customer, "А чайники?")).toContain("Ответ магазина.");
  await customer.goto("https://shop.example/wp-login.php");
  expect(await shownQuestions(customer)).toEqual([]);
  const elsewhere = await browser.open("https://shop.example/wp-login.php?user=42");
  await expect.poll(() => shownQuestions(elsewhere)).toEqual(["Есть кружки?", "А чайники?"]);
  await elsewhere.goto("https://shop.example/wp-login.php?user=43");
  expect(await shownQuestions(elsewhere)).toEqual([]);
  await elsewhere.context().close();
});

it("The address of the token tells nobody anything without the nonce", async () => {
  const url = "https://shop.example/wp-json/shop/v1/chat-token";
  const get = (header: string) =>
    machine.type(
      `curl --silent --cacert ${CADDY_AUTHORITY} --cookie wordpress_logged_in=42 --header '${header}' ${url}`,
    );
  expect(await get("X-Nothing: 1")).toBe('{"code":"rest_forbidden"}');
  expect(await get("X-WP-Nonce: of-another")).toBe('{"code":"rest_cookie_invalid_nonce"}');
});

it("An upgrade of the one instance goes by the page's commands, and the chat goes on", async () => {
  const upgrade = walk
    .take("install.md", "Upgrade without an interruption")
    .replace("systemctl start nitka-backup\n", "install -d -o nitka /backups\nnitka backup --to /backups/nitka.db\n")
    .replace("systemctl restart nitka@3002\n", "");
  await machine.type(upgrade);
  expect(await machine.type("nitka --version")).toBe("0.999.0\n");
  await customer.goto("https://shop.example/wp-login.php?user=42");
  await expect.poll(() => shownQuestions(customer)).toEqual(["Есть кружки?", "А чайники?"]);
  expect(await browser.askOn(customer, "Спасибо!")).toContain("Ответ магазина.");
});

it("The backup becomes the database of another folder, and erasure is of the customer alone", async () => {
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
const OPERATING = readFileSync(join(clone, "docs", "operating.md"), "utf8");
