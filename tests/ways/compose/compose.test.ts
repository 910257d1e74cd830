/**
 * docs/install.md, «Docker: containers», word for word, with Debian's Docker: its commands are typed on a separate machine, and
 * a browser chats with the result from another origin over HTTPS. `npm test -- compose`.
 */
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root as clone } from "../../../scripts/workspace.mjs";
import { codeIn } from "../../docs-code.ts";
import type { RealBrowser } from "../../packages/real-browser.ts";
import { browserOn, pageWith, shownQuestions, startWalk } from "../https-machine.ts";
import type { Machine } from "../machine.ts";
import { startDockerMachine } from "./docker-machine.ts";
import type { DockerMachine } from "./docker-machine.ts";

const SECTION = "Docker: containers";
const INSTALL = readFileSync(join(clone, "docs", "install.md"), "utf8");
/** The site has its own port, because the chat's Caddy uses those of HTTP and HTTPS. */
const SITE = "https://shop.example:8443";
const walk = startWalk("Docker");
const [up = "", commands = "", upgrade = "", alone = ""] = walk.takeAll("install.md", SECTION);

let docker: DockerMachine | undefined;
let machine: Machine;
let browser: RealBrowser;
let anonymous: Page;
let customer: Page;

beforeAll(async () => {
  docker = await startDockerMachine({
    hosts: "chat.example shop.example",
    sites: "",
    files: {
      "/etc/caddy/Caddyfile": `{
	local_certs
	skip_install_trust
	auto_https disable_redirects
}
${SITE.replace("https://", "")} {
	root * /var/www/shop
	file_server
}
`,
      "/var/www/shop/help.html": pageWith(walk.take("install.md", "The chat on your pages")),
      // A later version of the clone.
      "/usr/local/sbin/git": `#!/bin/sh\n[ "$1" = pull ] && exec sed -i 's/"version": "[^"]*"/"version": "0.999.0"/' apps/nitka/package.json\nexec /usr/bin/git "$@"\n`,
    },
  });
  machine = docker.machine;
});
afterAll(async () => {
  await browser?.close();
  await docker?.stop();
});

it("The commands of the page start both instances, Postgres and Caddy", { timeout: 600_000 }, async () => {
  await machine.type(up.replace("https://shop.example\n", `${SITE}\n`));
  const states = await machine.type("docker ps --format '{{.Names}} {{.Status}}'");
  for (const name of ["nitka-1", "nitka-2", "postgres"])
    expect(states).toMatch(new RegExp(`${name}_1 .*\\(healthy\\)`));
  for (const name of ["caddy", "nginx"]) expect(states).toMatch(new RegExp(`${name}_1 Up `));
  expect(await status("https://chat.example/readyz")).toBe("200");
  for (const path of ["", "demo/", "metrics", "desk"])
    expect([path, await status(`https://chat.example/${path}`)]).toEqual([path, "404"]);
  expect(await status("http://localhost:8080/widget/nitka.js")).toBe("200");
  expect(await status("http://localhost:9090/metrics")).toBe("200");
  expect(await inInstance("id -u")).toBe("1000\n");
  // Nothing is writable except the data and temporary files.
  expect(await inInstance("touch /app/x /app/config/x 2>&1; touch /app/data/x /tmp/x && echo kept")).toMatch(
    /Read-only file system[^]*Read-only file system\nkept\n$/,
  );
});

it("The snippet answers on a page of another origin; a reload keeps the chat, a second visitor sees none of it", async () => {
  const authority = await machine.type(
    "docker compose exec caddy cat /data/caddy/pki/authorities/local/intermediate.crt",
  );
  machine.write("/etc/chat-authority.crt", authority);
  browser = await browserOn(machine, ["/etc/chat-authority.crt"]);
  anonymous = await browser.open(`${SITE}/help.html?utm=1`);
  expect(await browser.askOn(anonymous, "Привет!")).toContain("демо");
  walk.answered();
  await anonymous.reload();
  await expect.poll(() => shownQuestions(anonymous)).toEqual(["Привет!"]);
  const second = await browser.open(`${SITE}/help.html`);
  expect(await shownQuestions(second)).toEqual([]);
  await second.context().close();
});

it("A customer whom the site has signed in has separate chats", async () => {
  const [snippet = ""] = codeIn("install.md", "The chat on your pages");
  const signedIn = snippet.replace("<nitka-chat", `<nitka-chat visitor-token="${tokenOf("42")}"`);
  machine.write("/var/www/shop/account.html", pageWith(signedIn));
  customer = await browser.open(`${SITE}/account.html`);
  expect(await browser.askOn(customer, "Где мой заказ?")).toContain("демо");
  await customer.reload();
  await expect.poll(() => shownQuestions(customer)).toEqual(["Где мой заказ?"]);
});

it("SIGHUP reads the file of projects again", async () => {
  const [, hangUp = ""] = /`(docker compose kill --signal=HUP [^`]*)`/.exec(INSTALL) ?? [];
  await machine.type(`sed -i 's#${SITE}#https://elsewhere.example#' config/projects.json\n${hangUp}`);
  const allowed = () =>
    machine.type(
      `curl --silent --insecure --include --header 'Origin: ${SITE}' https://chat.example/api/projects/default/config | grep -ci allow-origin || true`,
    );
  await expect.poll(allowed).toBe("0\n");
  await machine.type(`sed -i 's#https://elsewhere.example#${SITE}#' config/projects.json\n${hangUp}`);
  await expect.poll(allowed).toBe("1\n");
});

it("An upgrade replaces both instances during an answer, which arrives completely", { timeout: 600_000 }, async () => {
  const [, build = "", replace = ""] = /^(.*?)^(docker compose up.*)$/ms.exec(upgrade) ?? [];
  expect(await machine.type("docker compose exec nitka-1 nitka --version")).not.toBe("0.999.0\n");
  await machine.type(build);
  const answered = browser.askOn(anonymous, "Посчитай до 300").then((text) => /\b300\b/.test(text));
  const written = () => anonymous.locator("nitka-chat").getByRole("article", { name: "Ассистент:" }).last().innerText();
  await expect.poll(written).toMatch(/\b20\b/);
  await machine.type(replace);
  expect(await answered).toBe(true);
  for (const name of ["nitka-1", "nitka-2"])
    expect(await machine.type(`docker compose exec ${name} nitka --version`)).toBe("0.999.0\n");
  expect(await browser.askOn(anonymous, "Спасибо!")).toContain("Пожалуйста");
});

it("The commands of the page check the settings, erase only the customer, and make a backup", async () => {
  const output = await machine.type(commands);
  expect(output).toContain(`for ${SITE}`);
  expect(output).toContain("Deleted 1 thread of the visitor host:42");
  const tables = await machine.type("docker compose exec -T postgres pg_restore --list < nitka.dump");
  expect(tables).toContain("TABLE DATA nitka message nitka");
  await customer.reload();
  expect(await shownQuestions(customer)).toEqual([]);
  expect((await shownQuestions(anonymous)).length).toBeGreaterThan(0);
  await machine.type("docker compose down");
});

it("The image without compose keeps its data in the volume", { timeout: 600_000 }, async () => {
  await machine.type(alone.replace(/^docker exec.*\n?/m, ""));
  const ready = () => status("http://localhost:3000/readyz").catch(String);
  await expect.poll(ready).toBe("200");
  expect(await browser.ask("http://localhost:3000/", "Привет!")).toContain("демо");
  const usage = /^docker exec.*$/m.exec(alone)?.[0] ?? "";
  const before = await machine.type(usage);
  await machine.type("docker stop nitka\ndocker rm nitka");
  await machine.type(/^docker run.*$/m.exec(alone)?.[0] ?? "");
  await expect.poll(ready).toBe("200");
  expect(await machine.type(usage)).toBe(before);
  walk.end();
});

it("The page in Russian has the same commands", () => {
  expect(codeIn("ru/install.md", "Docker: контейнеры")).toEqual(codeIn("install.md", SECTION));
});

function status(url: string): Promise<string> {
  return machine.type(`curl --silent --insecure --output /dev/null --write-out '%{http_code}' '${url}'`);
}

function inInstance(command: string): Promise<string> {
  return machine.type(`docker compose exec nitka-1 sh -c '${command}'`);
}

/** A token as docs/security.md describes it. */
function tokenOf(sub: string): string {
  const [, secret = ""] = /^SHOP_SECRET=(.+)$/m.exec(machine.read(`${clone}/.env`)) ?? [];
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part({ alg: "HS256" })}.${part({ sub, exp: Math.floor(Date.now() / 1000) + 3600 })}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}
