/**
 * docs/own-backend.md, «Python», as it stands there, with Debian's Python: a backend of one's own, and a model of one's own behind our
 * server, whose chats a browser uses over HTTPS from pages of another origin.
 */
import type { Page } from "@playwright/test";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findPython } from "../../scripts/find-python.mjs";
import type { RealBrowser } from "../packages/real-browser.ts";
import { browserOn, pageWith, shownQuestions, startHttpsMachine, startWalk } from "./https-machine.ts";
import type { Machine } from "./machine.ts";

const walk = startWalk("Python");
const BACKEND = "A backend over HTTPS";
const MODEL = "A model behind our server";
const [backend, backendSite, backendPage, conformance] = [0, 1, 2, 3].map((index) =>
  walk.take("own-backend.md", BACKEND, index),
);
const [model = "", modelSite, modelPage = "", upkeep = ""] = [0, 1, 2, 3].map((index) =>
  walk.take("own-backend.md", MODEL, index),
);
const [settings = "", processes = ""] = model.split(/^(?=uvicorn)/m);
const [backup = "", purge = ""] = upkeep.split(/^(?=npm start -- purge)/m);
const shop = "shop.example {\n\troot * /var/www/shop\n\tfile_server\n}\n";

let machine: Machine;
let browser: RealBrowser;
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
      "/var/www/shop/index.html": pageWith(backendPage ?? ""),
      "/var/www/shop/help.html": pageWith(modelPage),
    },
  });
  browser = await browserOn(machine);
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await machine?.stop();
}, 60_000);

it("The backend answers on a page of another origin; a reload keeps the chat, a second visitor sees none of it", async () => {
  machine.startCommand(backend ?? "");
  await untilReady("http://127.0.0.1:3002/api/projects/default/config");
  const page = await browser.open("https://shop.example/");
  expect(await browser.askOn(page, "Где мой заказ?")).toContain("Отвечает ваш сервер на Python.");
  walk.answered();
  await page.reload();
  await expect.poll(() => shownQuestions(page)).toEqual(["Где мой заказ?"]);
  const second = await browser.open("https://shop.example/");
  expect(await shownQuestions(second)).toEqual([]);
  await Promise.all([page.context().close(), second.context().close()]);
});

it("nitka conformance finds nothing that fails in it, for the page either", async () => {
  const report = await machine.type(conformance ?? "");
  expect(report).toContain("✓");
  expect(report).not.toMatch(/^ +[✗!]/m);
});

it("The model behind our server knows the signed-in user, who leaves nothing behind at logout", async () => {
  machine.startCommand(`${model.trimEnd()} &\necho $! > ${PID}\nwait`);
  await untilReady("http://127.0.0.1:3000/readyz");
  machine.write("/var/www/shop/account.html", pageWith(await customerChat()));
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
  await untilReady("http://127.0.0.1:3000/readyz");
  await customer.reload();
  await expect.poll(() => shownQuestions(customer)).toEqual(["Где мой заказ?"]);
  expect(await browser.askOn(customer, "А сейчас?")).toContain("Аня, это вопрос 2: А сейчас?");
});

it("The backup is a database for another folder, and erasure is of the user alone", async () => {
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

async function untilReady(url: string): Promise<void> {
  await machine.type(`curl --fail --silent --retry 60 --retry-delay 1 --retry-all-errors ${url}`);
}

/** What the site's server writes for its user 42, with the function of docs/signed-in-users.md. */
async function customerChat(): Promise<string> {
  const route = walk.take("signed-in-users.md", "A route of your server that gives the token", 1);
  // The project of the example is the default one.
  const ofDefault = route.replace('"aud": "shop", ', "");
  machine.write("/tmp/customer.py", `${ofDefault}\nprint(chat_token({"id": 42, "name": "Аня"}))\n`);
  const python = await findPython();
  const token = await machine.type(`${settings}SHOP_CHAT_SECRET=$CHAT_SECRET ${python} /tmp/customer.py`);
  return modelPage.replace("<nitka-chat", `<nitka-chat visitor-token="${token.trim()}"`);
}
