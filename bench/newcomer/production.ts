import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseEnv } from "node:util";
import { startTemporaryPostgres } from "@nitka/server/temporary-postgres";
import { findPostgresTools } from "../../scripts/find-postgres-tools.mjs";
import type { PackedPackage } from "../../scripts/release/pack-packages.mjs";
import { startNginx } from "../../scripts/start-nginx.mjs";
import { freePort } from "../../scripts/listen-locally.mjs";
import { askUntilFirstWords, untilAnswered } from "./newcomer.ts";
import type { Newcomer } from "./newcomer.ts";
import { blocksIn, blockWith, wordsOf } from "./read-docs.ts";
import type { TimedSteps } from "./timed-steps.ts";

/** An answer of about fifteen seconds, during which both instances are restarted. */
const LONG = { question: "Посчитай до 300", lastWord: "300" };

/**
 * docs/install.md, «systemd: a server of your own»: two instances on one Postgres behind nginx, and a new version under a running
 * answer. Postgres and nginx are there before, as the docs presuppose; in place of systemd this process starts what the unit
 * says, on ports that are free.
 */
export async function toProduction(
  newcomer: Newcomer,
  steps: TimedSteps,
  packages: readonly PackedPackage[],
): Promise<void> {
  const blocks = blocksIn("install.md", "systemd: a server of your own");
  const tools = await findPostgresTools();
  const postgres = await startTemporaryPostgres(tools);
  const server = new URL(await postgres.createDatabase());
  const folder = newcomer.makeFolder("production");
  const here = (text: string) =>
    text.replaceAll("/opt/nitka", folder).replaceAll("/etc/nitka.env", join(folder, "nitka.env"));
  const ports = [await freePort(), await freePort()];

  const [install = "", ...database] = blockWith(blocks, "npm install --prefix").trim().split("\n");
  newcomer.chooseTarballs(folder, packages);
  newcomer.forgetCache();
  await steps.step("`npm install --prefix /opt/nitka nitka`, with an empty cache of npm", async () => {
    // The name of the package is in the package.json.
    const words = wordsOf(here(install)).slice(1, -1);
    await newcomer.run(folder, ["node", newcomer.npm, ...words, "--no-audit", "--no-fund"]);
  });
  await steps.step("the role and the database", async () => {
    const env = { PGHOST: server.hostname, PGPORT: server.port, PGUSER: "postgres" };
    for (const line of database) {
      const [, , , program = "", ...args] = wordsOf(line);
      await newcomer.run(folder, [join(tools, program), ...args], env);
    }
  });

  const settings = blockWith(blocks, "DATABASE_URL=").replace("127.0.0.1:5432", server.host);
  writeFileSync(join(folder, "nitka.env"), settings);
  const unit = readFileSync(here("/opt/nitka/node_modules/nitka/deploy/nitka@.service"), "utf8");
  await steps.step("`nitka check`", () => newcomer.run(folder, wordsOf(here(blockWith(blocks, " check")).trim())));
  const startInstance = (port: number) => {
    const args = wordsOf(here(lineOf(unit, "ExecStart"))).slice(1);
    const own = lineOf(unit, "Environment").replace("%i", String(port)).replace("/var/lib/nitka", folder);
    return newcomer.start(folder, args, { ...parseEnv(own.split(" ").join("\n")), ...parseEnv(settings) });
  };
  const instances = await steps.step("two instances, until both print their addresses", () =>
    Promise.all(ports.map(startInstance)),
  );
  const nginx = await steps.step("nginx", async () => {
    const [edit = ""] = blockWith(blocks, "nginx.conf").split("\n");
    const words = wordsOf(here(edit));
    const config = await newcomer.run(folder, words.slice(0, words.indexOf(">")));
    const named = [...config.matchAll(/^ *server ([\d.:]+) max_fails=0;$/gm)].map(([, address]) => address);
    if (named.join() !== "127.0.0.1:3001,127.0.0.1:3002")
      throw new Error(`nginx.conf has the instances ${named.join()}.`);
    return startNginx(ports);
  });
  const page = await steps.step("the page through nginx, until one can type", () => newcomer.open(nginx.url));
  await steps.step("the question, until the answer's first words", () => askUntilFirstWords(page, "Привет!"));
  await untilAnswered(page);

  await askUntilFirstWords(page, LONG.question);
  await steps.step("both instances restarted in turns under an answer, until both are ready", async () => {
    for (const [index, port] of ports.entries()) {
      await instances[index]?.end("SIGTERM");
      instances[index] = await startInstance(port);
      await untilReady(port);
    }
  });
  const answer = await untilAnswered(page);
  if (!answer.includes(LONG.lastWord)) throw new Error(`The answer is not whole: ${answer.slice(-200)}`);
  await steps.step("another question, until the answer's first words", () => askUntilFirstWords(page, "Спасибо!"));

  await page.context().close();
  await nginx.stop();
  for (const instance of instances) await instance.end("SIGINT");
  await postgres.stop();
}

/** The value of a line of a unit. */
function lineOf(unit: string, name: string): string {
  const value = new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1];
  if (value === undefined) throw new Error(`deploy/nitka@.service has no ${name}.`);
  return value;
}

/** What the docs' curl does. */
async function untilReady(port: number): Promise<void> {
  for (;;) {
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await sleep(1000);
  }
}
