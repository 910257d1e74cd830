/**
 * docs/own-backend.md, «Python», word for word, with Debian's Python: a custom backend, and a custom model behind our server. A
 * browser uses the chats of both over HTTPS from pages of another origin, as an anonymous visitor and as a user of the site.
 */
import type { Page } from "@playwright/test";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findPython } from "../../scripts/find-python.mjs";
import type { RealBrowser } from "../packages/real-browser.ts";
import { browserOn, pageWith, shownQuestions, startHttpsMachine, startWalk, untilServed } from "./https-machine.ts";
import type { Machine } from "./machine.ts";

const walk = startWalk("Python");
const BACKEND = "A backend over HTTPS";
const MODEL = "A model behind our server";
const [install, start = "", backendSite, backendPage = "", conformance, copy, restore, erase] = walk.takeAll(
  "own-backend.md",
  BACKEND,
);
const [backendSettings = ""] = start.split(/^(?=uvicorn)/m);
const [model = "", modelSite, modelPage = "", upkeep = ""] = [0, 1, 2, 3].map((index) =>
  walk.take("own-backend.md", MODEL, index),
);
const route = walk.take("signed-in-users.md", "A route of your server that gives the token", 1);
const [settings = "", processes = ""] = model.split(/^(?=uvicorn)/m);
const [backup = "", purge = ""] = upkeep.split(/^(?=npm start -- purge)/m);
const shop = "shop.example {\n\troot * /var/www/shop\n\tfile_server\n}\n";

let machine: Machine;
let browser: RealBrowser;
/** The browser of a visitor who signs in later, on pages with the backend. The other pages use the model behind our server. */
let visitor: Page;
let anonymous: Page;
let customer: Page;

beforeAll(async () => {
  const python = await findPython();
  machine = await startHttpsMachine({
    hosts: "chat.example assistant.example shop.example",
    sites: `${shop}${backendSite}${modelSite}`,
    files: {
      // The packages are Debian's, and the widget is built.
      "/usr/local/sbin/pip": "#!/bin/sh\nexit 0\n",
      "/usr/local/sbin/uvicorn": `#!/bin/sh\nexec ${python} -B -m uvicorn "$@"\n`,
      "/usr/local/sbin/npm": `#!/bin/sh\n[ "$*" = "run build" ] && exit 0\nexec /usr/bin/npm "$@"\n`,
      "/var/www/shop/index.html": pageWith(backendPage),
      "/var/www/shop/help.html": pageWith(modelPage),
    },
  });
  browser = await browserOn(machine);
});
afterAll(async () => {
  await browser?.close();
  await machine?.stop();
});

it("The backend answers on a page of another origin; a reload keeps the chat, a second visitor sees none of it", async () => {
  await machine.type(install ?? "");
  await startBackend();
  visitor = await browser.open("https://shop.example/");
  expect(await browser.askOn(visitor, "Где мой заказ?")).toContain("Отвечает ваш сервер на Python.");
  walk.answered();
  await visitor.reload();
  await expect.poll(() => shownQuestions(visitor)).toEqual(["Где мой заказ?"]);
  const second = await browser.open("https://shop.example/");
  expect(await shownQuestions(second)).toEqual([]);
  await second.context().close();
});

it("The backend's user keeps the questions from before the login, sees them in every browser, and leaves nothing behind", async () => {
  const token = await tokenOf("42", backendSettings, route);
  machine.write("/var/www/shop/orders.html", pageWith(signedIn(backendPage, token)));
  await visitor.goto("https://shop.example/orders.html");
  await expect.poll(() => shownQuestions(visitor)).toEqual(["Где мой заказ?"]);
  await visitor.goto("https://shop.example/");
  expect(await shownQuestions(visitor)).toEqual([]);
  expect(await browser.askOn(visitor, "Вы открыты?")).toContain("Вы открыты?");
  const elsewhere = await browser.open("https://shop.example/orders.html");
  await expect.poll(() => shownQuestions(elsewhere)).toEqual(["Где мой заказ?"]);
  const another = await tokenOf("43", backendSettings, route);
  machine.write("/var/www/shop/orders.html", pageWith(signedIn(backendPage, another)));
  await elsewhere.reload();
  expect(await shownQuestions(elsewhere)).toEqual([]);
  await elsewhere.context().close();
});

it("nitka conformance finds no failure, also for the page's origin", async () => {
  const report = await machine.type(conformance ?? "");
  expect(report).toContain("✓");
  expect(report).not.toMatch(/^ +[✗!]/m);
});

it("A restart of the backend for a new version lets a running answer end, and the chat continues", async () => {
  await machine.type(`${backendSettings}${copy}`);
  const words = Array.from({ length: 40 }, (_, index) => `слово${index}`);
  const answered = browser.askOn(visitor, words.join(" "));
  const written = () => visitor.locator("nitka-chat").getByRole("article", { name: "Ассистент:" }).last().innerText();
  await expect.poll(written).toContain("слово5");
  await machine.type("systemctl reload caddy");
  await machine.type(`kill -TERM $(cat ${BACKEND_PID})\nwhile [ -e /proc/$(cat ${BACKEND_PID}) ]; do sleep 0.1; done`);
  expect(await answered).toContain("Отвечает ваш сервер на Python.");
  await startBackend();
  await visitor.reload();
  await expect.poll(() => shownQuestions(visitor)).toEqual(["Вы открыты?", words.join(" ")]);
  expect(await browser.askOn(visitor, "Спасибо!")).toContain("Спасибо!");
});

it("The backup works as another backend's database, and export and erasure concern only the user", async () => {
  machine.startCommand(`${backendSettings}${restore}`);
  await untilServed(machine, "http://127.0.0.1:3999/api/projects/default/config");
  const token = await tokenOf("42", backendSettings, route);
  const listed = `curl --fail --silent --header 'Authorization: Bearer ${token}' http://127.0.0.1`;
  expect(JSON.parse(await machine.type(`${listed}:3999/api/debug/threads`))).toMatchObject([
    { title: "Где мой заказ?" },
  ]);
  expect(await machine.type(`${backendSettings}${erase}`)).toContain("Deleted 1 thread of the visitor host:42");
  expect(JSON.parse(await machine.type("cat visitor.json"))).toMatchObject({ threads: [{ title: "Где мой заказ?" }] });
  expect(await machine.type(`${listed}:3002/api/debug/threads`)).toBe("[]");
  await visitor.reload();
  await expect.poll(async () => (await shownQuestions(visitor)).length).toBeGreaterThan(0);
  await visitor.context().close();
});

it("The model behind our server knows the signed-in user, who leaves nothing behind at logout", async () => {
  machine.startCommand(`${model.trimEnd()} &\necho $! > ${PID}\nwait`);
  await untilServed(machine, "http://127.0.0.1:3000/readyz");
  // The project of the example is the default one.
  const token = await tokenOf(
    "42",
    `${settings}export SHOP_CHAT_SECRET=$CHAT_SECRET\n`,
    route.replace('"aud": "shop", ', ""),
  );
  machine.write("/var/www/shop/account.html", pageWith(signedIn(modelPage, token)));
  anonymous = await browser.open("https://shop.example/help.html");
  expect(await browser.askOn(anonymous, "Вы открыты завтра?")).toContain("гость, это вопрос 1: Вы открыты завтра?");
  customer = await browser.open("https://shop.example/account.html");
  expect(await browser.askOn(customer, "Где мой заказ?")).toContain("Аня, это вопрос 1: Где мой заказ?");
  await customer.reload();
  await expect.poll(() => shownQuestions(customer)).toEqual(["Где мой заказ?"]);
  await customer.goto("https://shop.example/help.html");
  expect(await shownQuestions(customer)).toEqual([]);
  await customer.goto("https://shop.example/account.html");
  await expect.poll(() => shownQuestions(customer)).toEqual(["Где мой заказ?"]);
});

it("A restart of the server for a new version keeps every chat", async () => {
  await machine.type(`${settings}${backup}`);
  // npm ends before the server that it has started.
  const gone = "while curl --silent --output /dev/null http://127.0.0.1:3000/healthz; do sleep 0.1; done";
  await machine.type(`kill -TERM $(cat ${PID})\n${gone}`);
  machine.startCommand(`${settings}${processes.split("\n").at(-2)}`);
  await untilServed(machine, "http://127.0.0.1:3000/readyz");
  await customer.reload();
  await expect.poll(() => shownQuestions(customer)).toEqual(["Где мой заказ?"]);
  expect(await browser.askOn(customer, "А сейчас?")).toContain("Аня, это вопрос 2: А сейчас?");
});

it("The backup works as a database in another folder, and erasure concerns only the user", async () => {
  const exported = "npm start --silent -- export --visitor host:42";
  await machine.type("mkdir /tmp/restored\ncp backup.db /tmp/restored/nitka.db");
  const restored = await machine.type(`${settings}NITKA_DATA=/tmp/restored ${exported}`);
  expect(restored).toContain("Где мой заказ?");
  expect(restored).not.toContain("А сейчас?");
  expect(await machine.type(`${settings}${purge}`)).toContain("Deleted 1 thread of the visitor host:42");
  await customer.reload();
  expect(await shownQuestions(customer)).toEqual([]);
  await anonymous.reload();
  await expect.poll(() => shownQuestions(anonymous)).toEqual(["Вы открыты завтра?"]);
  walk.end();
});

const PID = "/run/assistant.pid";
const BACKEND_PID = "/run/backend.pid";

async function startBackend(): Promise<void> {
  machine.startCommand(`${start.trimEnd()} &\necho $! > ${BACKEND_PID}\nwait`);
  await untilServed(machine, "http://127.0.0.1:3002/api/projects/default/config");
}

/** The token that the site's server gives the page of its user, with the function of docs/signed-in-users.md. */
async function tokenOf(id: string, environment: string, chatToken: string): Promise<string> {
  machine.write("/tmp/customer.py", `${chatToken}\nprint(chat_token({"id": ${id}, "name": "Аня"}))\n`);
  const token = await machine.type(`${environment}${await findPython()} /tmp/customer.py`);
  return token.trim();
}

function signedIn(page: string, token: string): string {
  return page.replace("<nitka-chat", `<nitka-chat visitor-token="${token}"`);
}
