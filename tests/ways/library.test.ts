/**
 * docs/library.md, «From an empty folder to your pages», word for word: an application in Express, with the packages as npm
 * installs them. A browser uses its chat over HTTPS from pages of another origin.
 */
import type { Page } from "@playwright/test";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root as clone } from "../../scripts/workspace.mjs";
import { codeIn } from "../docs-code.ts";
import type { RealBrowser } from "../packages/real-browser.ts";
import {
  browserOn,
  CADDY_AUTHORITY,
  pageWith,
  shownQuestions,
  startHttpsMachine,
  startWalk,
  untilServed,
} from "./https-machine.ts";
import type { Machine } from "./machine.ts";

const heading = "From an empty folder to your pages";
const folder = "/srv/shop";
const inFolder = `cd ${folder}\n`;
const walk = startWalk("An application of one's own");
const [install, serverFile, start, caddy, page, upgrade, restore, erase] = [0, 1, 2, 3, 4, 5, 6, 7].map((index) =>
  walk.take("library.md", heading, index),
);

/** The shop's pages, whose session cookie is the user's id, and the service of the model. */
const sites = `shop.example {
	route /login {
		header Set-Cookie "session={query.user}; Domain=shop.example; Path=/; Secure; HttpOnly; SameSite=Lax"
		redir https://shop.example/
	}
	route /logout {
		header Set-Cookie "session=; Domain=shop.example; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Lax"
		redir https://shop.example/
	}
	root * /var/www/shop
	file_server
}
api.openai.com {
	reverse_proxy 127.0.0.1:4000
}
`;
const sessions = `export const userOf = (cookie) => {
  const id = /session=(\\w+)/.exec(cookie)?.[1];
  return id === undefined ? undefined : { id };
};`;

let machine: Machine;
let browser: RealBrowser;
let customer: Page;

beforeAll(async () => {
  machine = await startHttpsMachine({
    hosts: "app.shop.example shop.example api.openai.com",
    sites,
    files: {
      "/var/www/shop/index.html": pageWith(page ?? ""),
      [`${folder}/sessions.mjs`]: sessions,
    },
  });
  machine.startCommand(`node ${clone}/tests/ways/model-service.ts 4000`);
});
afterAll(async () => {
  await browser?.close();
  await machine?.stop();
});

it("The instructions of the page start the packages, the server and Caddy", async () => {
  await machine.type(`${inFolder}${install}`, { online: true });
  machine.write(`${folder}/server.mjs`, serverFile ?? "");
  await machine.type(`${inFolder}sed --in-place s/^OPENAI_API_KEY=/\\&sk-of-the-shop/ .env`);
  await startServer();
  machine.write("/etc/caddy/Caddyfile", `${machine.read("/etc/caddy/Caddyfile")}${caddy}`);
  await machine.type("systemctl reload caddy");
  expect(await statusOf("https://app.shop.example/chat/readyz")).toBe("200");
  for (const path of ["metrics", "openapi.json"])
    expect([path, await statusOf(`https://app.shop.example/chat/${path}`)]).toEqual([path, "404"]);
});

it("The snippet answers on pages of another origin; a reload keeps the chat, a second visitor sees none of it", async () => {
  browser = await browserOn(machine);
  customer = await browser.open("https://shop.example/");
  expect(await browser.askOn(customer, "Вы открыты завтра?")).toContain("Ответ магазина.");
  walk.answered();
  await customer.reload();
  await expect.poll(() => shownQuestions(customer)).toEqual(["Вы открыты завтра?"]);
  const second = await browser.open("https://shop.example/");
  expect(await shownQuestions(second)).toEqual([]);
  await second.context().close();
});

it("A user who logs in keeps the earlier questions, sees them in every browser, and leaves nothing behind at logout", async () => {
  await customer.goto("https://shop.example/login?user=42");
  await expect.poll(() => shownQuestions(customer)).toEqual(["Вы открыты завтра?"]);
  await customer.goto("https://shop.example/logout");
  expect(await shownQuestions(customer)).toEqual([]);
  expect(await browser.askOn(customer, "А послезавтра?")).toContain("Ответ магазина.");
  const elsewhere = await browser.open("https://shop.example/login?user=42");
  await expect.poll(() => shownQuestions(elsewhere)).toEqual(["Вы открыты завтра?"]);
  await elsewhere.goto("https://shop.example/login?user=43");
  expect(await shownQuestions(elsewhere)).toEqual([]);
  await elsewhere.context().close();
});

it("An upgrade lets a running answer end, and the chat continues", async () => {
  await machine.type(LATER_VERSION);
  await machine.type(`${inFolder}${upgrade}`, { online: true });
  const answered = browser.askOn(customer, "Посчитай до 30");
  const written = () => customer.locator("nitka-chat").getByRole("article", { name: "Ассистент:" }).last().innerText();
  await expect.poll(written).toMatch(/\b5\b/);
  await machine.type(`kill -TERM $(cat ${PID})\nwhile [ -e /proc/$(cat ${PID}) ]; do sleep 0.1; done`);
  expect(await answered).toMatch(/\b30\b/);
  await startServer();
  expect(await machine.type(`${folder}/node_modules/.bin/nitka --version`)).toBe("0.1.999\n");
  expect(await browser.askOn(customer, "Спасибо!")).toContain("Ответ магазина.");
});

it("A backup works as the database in another folder", async () => {
  await machine.type(
    `mkdir /srv/second\ncp --recursive ${folder}/{node_modules,.env,backup.db,server.mjs,sessions.mjs} /srv/second`,
  );
  machine.startCommand(`cd /srv/second\n${withAuthority}${restore}`);
  await untilServed(machine, "http://127.0.0.1:3999/chat/readyz");
  const threads = "http://127.0.0.1:3999/chat/api/debug/threads";
  const listed = await machine.type(`curl --fail --silent --header 'Cookie: session=42' ${threads}`);
  expect(JSON.parse(listed)).toMatchObject([{ threadId: expect.any(String) as unknown }]);
});

it("Export and erasure concern only the user", async () => {
  await customer.goto("https://shop.example/login?user=42");
  await expect.poll(async () => (await shownQuestions(customer)).length).toBeGreaterThan(0);
  expect(await machine.type(`${inFolder}${erase}`)).toMatch(/Deleted \d+ threads? of the visitor host:42/);
  expect(machine.read(`${folder}/visitor.json`)).toContain("Вы открыты завтра?");
  await customer.reload();
  expect(await shownQuestions(customer)).toEqual([]);
  walk.end();
});

it("The page in Russian has the same blocks", () => {
  expect(codeIn("ru/library.md", "От пустой папки до ваших страниц")).toEqual(codeIn("library.md", heading));
});

const PID = "/run/shop.pid";
/** The service of the model has a certificate of the machine's authority. */
const withAuthority = `export NODE_EXTRA_CA_CERTS=${CADDY_AUTHORITY}\n`;

async function startServer(): Promise<void> {
  machine.startCommand(`${inFolder}${withAuthority}${start?.trimEnd()} &\necho $! > ${PID}\nwait`);
  await untilServed(machine, "http://127.0.0.1:3000/chat/readyz");
}

function statusOf(url: string): Promise<string> {
  return machine.type(
    `curl --silent --output /dev/null --write-out '%{http_code}' --cacert ${CADDY_AUTHORITY} '${url}'`,
  );
}

/** The packages with a higher version, which npm has to install. */
const LATER_VERSION = `
for tarball in dist/tarballs/*-0.1.0.tgz; do
  rm --recursive --force /tmp/later && mkdir /tmp/later
  tar --extract --gzip --file $tarball --directory /tmp/later
  sed --in-place 's/"0.1.0"/"0.1.999"/' /tmp/later/package/package.json
  tar --create --gzip --file \${tarball/0.1.0/0.1.999} --directory /tmp/later package
  rm $tarball
done
`;
