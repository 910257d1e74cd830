/**
 * docs/install.md, «systemd: a server of your own», word for word: its commands are typed on a separate server, and a browser
 * chats with the result from another origin over HTTPS.
 */
import { createHmac, randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { afterAll, beforeAll, expect, it } from "vitest";
import { codeIn } from "../docs-code.ts";
import type { RealBrowser } from "../packages/real-browser.ts";
import { browserOn, pageWith, shownQuestions, startWalk } from "./https-machine.ts";
import type { Machine } from "./machine.ts";
import { authorities, serverOfOnesOwn } from "./server-of-ones-own.ts";

const walk = startWalk("Production, two instances");
const names = walk.take("install.md", "The machine", 1);
const blocks = (heading: string) => walk.takeAll("install.md", heading).map((code) => `${names}${code}`);

let machine: Machine;
let browser: RealBrowser;
/** Pages of the shop: an anonymous one, and one of a customer. */
let anonymous: Page;
let customer: Page;

beforeAll(async () => {
  machine = await serverOfOnesOwn();
});
afterAll(async () => {
  await browser?.close();
  await machine?.stop();
});

it("The commands of the page start the package, the settings, the units and Caddy", async () => {
  const [packageBlock = ""] = blocks("The package");
  const [settings = ""] = blocks("Settings, projects and the database");
  const [units = ""] = blocks("The units");
  const [caddy = ""] = blocks("HTTPS with Caddy");
  await machine.type(packageBlock, { online: true });
  expect(await machine.type(settings)).toContain("for https://shop.example");
  expect(await machine.type("stat --format='%U %G %a' /etc/nitka.env")).toBe("root nitka 640\n");
  machine.write("/etc/nitka.env", `${machine.read("/etc/nitka.env")}NITKA_DEMO_SPEED=2\nNITKA_DRAIN_SECONDS=1\n`);
  await machine.type(units);
  await machine.type(caddy);
  // Pasting twice adds it once.
  await machine.type(caddy);
  expect(await get(authorities.caddy, "https://chat.example/readyz")).toBe("200");
  expect(await get(authorities.caddy, "http://chat.example/readyz")).toBe("308");
  expect(await get(authorities.caddy, "https://shop.example/")).toBe("200");
  for (const path of ["", "demo/", "metrics", "desk"])
    expect([path, await get(authorities.caddy, `https://chat.example/${path}`)]).toEqual([path, "404"]);
  for (const port of [13001, 13002]) expect(await get("", `http://127.0.0.1:${port}/metrics`)).toBe("200");
  expect(await machine.type("ps -e -o user=,args= | grep '/bin/nitka.mj[s]' | cut -d ' ' -f 1 | xargs")).toBe(
    "nitka nitka\n",
  );
});

it("The snippet answers on a page of another origin; a reload keeps the chat, a second visitor sees none of it", async () => {
  const snippet = walk.take("install.md", "The chat on your pages");
  machine.write("/var/www/shop/help.html", pageWith(snippet));
  browser = await browserOn(machine, [authorities.nginx]);
  anonymous = await browser.open("https://shop.example/help.html?utm=1");
  expect(await browser.askOn(anonymous, "Привет!")).toContain("демо");
  walk.answered();
  await anonymous.reload();
  expect(anonymous.url()).toBe("https://shop.example/help.html?utm=1");
  await expect.poll(() => shownQuestions(anonymous)).toEqual(["Привет!"]);
  const second = await browser.open("https://shop.example/help.html");
  expect(await shownQuestions(second)).toEqual([]);
  await second.context().close();
});

it("A customer whom the site has signed in has separate chats, and leaves none of them behind at logout", async () => {
  machine.write("/var/www/shop/account.html", pageWith(customerChat()));
  customer = await browser.open("https://shop.example/account.html");
  expect(await browser.askOn(customer, "Где мой заказ?")).toContain("демо");
  await customer.reload();
  await expect.poll(() => shownQuestions(customer)).toEqual(["Где мой заказ?"]);
  await customer.goto("https://shop.example/help.html");
  expect(await shownQuestions(customer)).toEqual([]);
  await customer.goto("https://shop.example/account.html");
});

it("A reload of Caddy, as when a site is added, interrupts no answer", async () => {
  const streams: string[] = [];
  anonymous.on("response", (response) => {
    if (response.headers()["content-type"]?.startsWith("text/event-stream")) streams.push(response.request().method());
  });
  const answered = browser.askOn(anonymous, "Посчитай до 200");
  await expect.poll(lastAnswer).toMatch(/\b10\b/);
  await machine.type("systemctl reload caddy");
  expect(await answered).toMatch(/\b200\b/);
  // An answer that is cut would be requested again.
  expect(streams).toEqual(["POST"]);
});

it("An upgrade replaces both instances during an answer, which arrives completely", async () => {
  const [backup = ""] = blocks("A backup every night");
  await machine.type(backup);
  const [upgrade = ""] = blocks("Upgrade without an interruption");
  const [install = "", replace = ""] = upgrade.split(/^(?=systemctl start)/m);
  const release = /^RELEASE=.*\n/m.exec(install)?.[0] ?? "";
  expect(await machine.type("nitka --version")).not.toBe("0.999.0\n");
  await machine.type(install);
  const answered = browser.askOn(anonymous, "Посчитай до 300").then((text) => /\b300\b/.test(text));
  await expect.poll(lastAnswer).toMatch(/\b20\b/);
  await machine.type(`${names}${release}${replace}`);
  expect(await answered).toBe(true);
  expect(await machine.type("nitka --version")).toBe("0.999.0\n");
  expect(await browser.askOn(anonymous, "Спасибо!")).toContain("Пожалуйста");
});

it("A backup is restored as a second database with every conversation", async () => {
  const [, restore = ""] = blocks("A backup every night");
  const restored = machine.startCommand(restore);
  await machine.type("curl --fail --silent --retry 60 --retry-delay 1 --retry-all-errors http://127.0.0.1:3999/readyz");
  const threads = `curl --silent --fail --header 'Authorization: Bearer ${tokenOf("42")}' http://127.0.0.1:3999/api/debug/threads`;
  expect(JSON.parse(await machine.type(threads))).toMatchObject([{ threadId: expect.any(String) as unknown }]);
  restored.kill("SIGINT");
});

it("The chat continues behind nginx in place of Caddy", async () => {
  const [nginx = ""] = blocks("HTTPS with nginx and certbot");
  await machine.type(`systemctl stop caddy\n${nginx}`);
  expect(await get(authorities.nginx, "https://shop.example/")).toBe("200");
  expect(await get(authorities.nginx, "http://chat.example/readyz")).toBe("301");
  await anonymous.reload();
  // The history loads first: the answer is the one after it.
  await expect.poll(async () => (await shownQuestions(anonymous)).length).toBeGreaterThan(0);
  expect(await browser.askOn(anonymous, "Погода в Токио")).toContain("get_weather");
});

it("Export and purge concern only the customer", async () => {
  const [commands = ""] = blocks("Export and erasure of a visitor (GDPR, 152-FZ)");
  expect(await machine.type(commands, { folder: "/root" })).toContain("Deleted 1 thread of the visitor host:42");
  expect(JSON.parse(machine.read("/root/visitor.json"))).toMatchObject({ threads: [{}] });
  await customer.reload();
  expect(await shownQuestions(customer)).toEqual([]);
  expect((await shownQuestions(anonymous)).length).toBeGreaterThan(0);
  walk.end();
});

/** The last answer that the anonymous visitor sees, as far as it is written. */
async function lastAnswer(): Promise<string> {
  return anonymous.locator("nitka-chat").getByRole("article", { name: "Ассистент:" }).last().innerText();
}

/** The status of a response, with a certificate of the authority. */
async function get(authority: string, url: string): Promise<string> {
  const trust = authority === "" ? "" : `--cacert ${authority}`;
  return machine.type(`curl --silent --output /dev/null --write-out '%{http_code}' ${trust} '${url}'`);
}

/** The markup that the site's server writes for customer 42. */
function customerChat(): string {
  const [snippet = ""] = codeIn("install.md", "The chat on your pages");
  return snippet.replace("<nitka-chat", `<nitka-chat visitor-token="${tokenOf("42")}"`);
}

/** A token as docs/security.md describes it. */
function tokenOf(sub: string): string {
  const [, secret = ""] = /^SHOP_SECRET=(.+)$/m.exec(machine.read("/etc/nitka.env")) ?? [];
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const signed = `${part({ alg: "HS256" })}.${part({ sub, exp, jti: randomUUID() })}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}
