import { codeIn } from "../../tests/docs-code.ts";
import { browserOn } from "../../tests/ways/https-machine.ts";
import { authorities, serverOfOnesOwn } from "../../tests/ways/server-of-ones-own.ts";
import { askUntilFirstWords, untilAnswered, untilOpen } from "./newcomer.ts";
import type { TimedSteps } from "./timed-steps.ts";

/** An answer of about fifteen seconds, during which both instances are restarted. */
const LONG = { question: "Посчитай до 300", lastWord: "300" };

/**
 * docs/install.md, «systemd: a server of your own», typed word for word on a server that has Node, Postgres and Caddy's
 * program, in a clone whose packages are packed: two instances behind Caddy, a page of another origin over HTTPS, and a new
 * version during a running answer. `tests/ways` follows the same steps.
 */
export async function toProduction(steps: TimedSteps): Promise<void> {
  const machine = await serverOfOnesOwn();
  const [, names = ""] = codeIn("install.md", "The machine");
  const type = (heading: string, index = 0, online = false) =>
    machine.type(`${names}${codeIn("install.md", heading)[index] ?? ""}`, { online });

  await steps.step("the package, with npm's cache", () => type("The package", 0, true));
  await steps.step("settings, projects, the database", () => type("Settings, projects and the database"));
  await steps.step("the units", () => type("The units"));
  await steps.step("Caddy and its certificate", () => type("HTTPS with Caddy"));
  const browser = await browserOn(machine, [authorities.nginx]);
  const [snippet = ""] = codeIn("install.md", "The chat on your pages");
  machine.write("/var/www/shop/help.html", `<!doctype html><html lang="ru"><body>${snippet}</body></html>`);
  const page = await steps.step("the site's page over HTTPS, until one can type", async () => {
    const opened = await browser.open("https://shop.example/help.html");
    await untilOpen(opened);
    return opened;
  });
  await steps.step("the question, until the answer's first words", () => askUntilFirstWords(page, "Привет!"));
  await untilAnswered(page);
  await steps.step("a reload, until the answer is there again", async () => {
    await page.reload();
    await untilOpen(page);
    await untilAnswered(page);
  });

  await steps.step("a backup, and the timer of the next", () => type("A backup every night"));
  const [upgrade = ""] = codeIn("install.md", "Upgrade without an interruption");
  const [install = "", replace = ""] = upgrade.split(/^(?=systemctl start)/m);
  await steps.step("the package of a new version", () => machine.type(install));
  await askUntilFirstWords(page, LONG.question);
  const release = /^RELEASE=.*\n/m.exec(install)?.[0] ?? "";
  await steps.step("a backup, and both instances restarted in turns under an answer", () =>
    machine.type(`${release}${replace}`),
  );
  const answer = await untilAnswered(page);
  if (!answer.includes(LONG.lastWord)) throw new Error(`The answer is not whole: ${answer.slice(-200)}`);
  await steps.step("another question, until the answer's first words", () => askUntilFirstWords(page, "Спасибо!"));

  await browser.close();
  await machine.stop();
}
