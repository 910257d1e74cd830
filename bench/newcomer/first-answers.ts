import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { listenLocally } from "../../scripts/listen-locally.mjs";
import { root } from "../../scripts/workspace.mjs";
import { askUntilFirstWords } from "./newcomer.ts";
import type { Newcomer } from "./newcomer.ts";
import { blocksIn, blockWith } from "./read-docs.ts";
import type { TimedSteps } from "./timed-steps.ts";

/** README.md: clone the repository, `npm start`, open the address, ask. */
export async function fromClone(newcomer: Newcomer, steps: TimedSteps): Promise<void> {
  newcomer.forgetCache();
  await chat("with an empty cache of npm", "first");
  await chat("with npm's cache", "second");

  async function chat(how: string, name: string): Promise<void> {
    const folder = newcomer.makeFolder(`clone-${name}`);
    await steps.step("`git clone`", () => newcomer.run(folder, ["git", "clone", "--quiet", root, "."]));
    const program = await steps.step(`\`npm start\`, ${how}, until it prints the address`, () =>
      newcomer.start(folder, [newcomer.npm, "start"], { PORT: "0" }),
    );
    const page = await steps.step("the page, until one can type", () => newcomer.open(program.url));
    await steps.step("the question, until the answer's first words", () => askUntilFirstWords(page, "Привет!"));
    await page.context().close();
    await program.end("SIGINT");
    const again = await steps.step("`npm start` again", () =>
      newcomer.start(folder, [newcomer.npm, "start"], { PORT: "0" }),
    );
    await again.end("SIGINT");
  }
}

/** docs/index.md: start the program in a clone, put the chat on a page of another origin, ask. */
export async function onPage(newcomer: Newcomer, steps: TimedSteps): Promise<void> {
  const blocks = blocksIn("index.md", "Put the chat on a page");
  const folder = newcomer.makeFolder("page");
  let page = "";
  const site = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(page);
  });
  const origin = `http://localhost:${await listenLocally(site)}`;
  newcomer.forgetCache();
  await steps.step("`git clone`", () => newcomer.run(folder, ["git", "clone", "--quiet", root, "."]));
  const config = blockWith(blocks, "allowedOrigins").replace("http://localhost:8000", origin);
  writeFileSync(join(folder, "projects.json"), config);
  const program = await steps.step(
    "`npm start` with the file of projects, with an empty cache of npm, until it prints the address",
    () => newcomer.start(folder, [newcomer.npm, "start"], { PORT: "0", NITKA_CONFIG: "projects.json" }),
  );
  page = blockWith(blocks, "nitka.js").replaceAll("http://localhost:3000", program.url);
  const tab = await steps.step("the own page, until one can type", () => newcomer.open(origin));
  await steps.step("the question, until the answer's first words", () => askUntilFirstWords(tab, "Привет!"));
  await tab.context().close();
  await program.end("SIGINT");
  site.close();
}
