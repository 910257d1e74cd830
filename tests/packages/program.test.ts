/** The program and its commands, with only the tarballs of our packages, on the oldest supported Node. */
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { startTemporaryPostgres } from "@nitka/server/temporary-postgres";
import type { TemporaryPostgres } from "@nitka/server/temporary-postgres";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { findOldestNode } from "../../scripts/find-oldest-node.mjs";
import { findPostgresTools } from "../../scripts/find-postgres-tools.mjs";
import { runCommand } from "../../scripts/run-command.mjs";
import { codeIn } from "../docs-code.ts";
import { newVisitor } from "./http-visitor.ts";
import type { HttpVisitor } from "./http-visitor.ts";
import { installApp } from "./installed-app.ts";
import type { InstalledApp, Serving } from "./installed-app.ts";
import { startBrowser } from "./real-browser.ts";
import type { RealBrowser } from "./real-browser.ts";

type Env = Readonly<Record<string, string>>;

const bin = "node_modules/nitka/bin/nitka.mjs";
/** Slow enough that the conformance checks can cancel and rejoin it. */
const fast = { NITKA_DEMO_SPEED: "6" };
const QUESTION = "Привет!";

let oldest: string;
let tools: string;
let app: InstalledApp;
let browser: RealBrowser;

beforeAll(async () => {
  [oldest, tools, app, browser] = await Promise.all([
    findOldestNode(),
    findPostgresTools(),
    installApp({ packages: inject("packages"), uses: ["nitka"], files: {} }),
    startBrowser(),
  ]);
});

afterAll(async () => {
  await browser?.close();
  app?.remove();
});

describe("The commands beside a running program on SQLite", () => {
  let program: Serving;
  let visitor: HttpVisitor;

  beforeAll(async () => {
    program = await app.serve(oldest, bin, {
      ...fast,
      NITKA_OPS_PORT: "0",
      NITKA_DESK_KEY: "a key of sixteen letters",
    });
    visitor = await newVisitor(program.url);
    await visitor.ask(QUESTION);
  });
  afterAll(async () => program?.stop());

  it("the desk shows the answer and its conversation to an operator with the key", async () => {
    await expect.poll(() => program.output()).toContain("Ctrl+C");
    const page = await browser.open(/Desk +(\S+)/.exec(program.output())?.[1] ?? "");
    await page.getByLabel("Ключ").fill("a key of sixteen letters");
    await page.getByRole("button", { name: "Войти" }).click();
    await page.locator("tbody").getByRole("link").click();
    await page.getByRole("article", { name: "Ассистент:" }).getByText("демо").first().waitFor();
    await page.context().close();
  });

  it("a build with the published React also answers", async () => {
    const page = await browser.open(new URL("/widget/manifest.json", program.url).href);
    await page.setContent('<!doctype html><html lang="ru"><body></body></html>');
    await page.addScriptTag({ url: "/widget/whole/nitka.js" });
    await page.evaluate(() => void Reflect.get(window, "Nitka").init({ projectId: "default" }));
    expect(await browser.askOn(page, QUESTION)).toContain("демо");
    const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
    const app = loaded.filter((name) => /\/app-[\w-]+\.js$/.test(name));
    expect(app).toEqual([expect.stringContaining("/widget/whole/")]);
    await page.context().close();
  });

  it("nitka conformance finds no difference from the protocol", async () => {
    expect(await nitka({}, "conformance", program.url)).toMatch(/\n\d+ hold, 0 fail, \d+ advised, \d+ skipped\n$/);
  });

  it("nitka usage counts the tokens of the answer", async () => {
    const report = jsonIn(await nitka({}, "usage", "--by", "visitor", "--json")) as {
      readonly rows: readonly { readonly key: string; readonly calls: number; readonly outputTokens: number }[];
    };
    const row = report.rows.find(({ key }) => key === visitor.id);
    expect(row?.calls).toBeGreaterThan(0);
    expect(row?.outputTokens).toBeGreaterThan(0);
  });

  it("nitka export prints the visitor's conversation", async () => {
    const [question, answer] = await visitor.messages();
    const exported = jsonIn(await nitka({}, "export", "--visitor", visitor.id)) as {
      readonly threads: readonly { readonly messages: readonly unknown[] }[];
    };
    expect(exported.threads.map(({ messages }) => messages)).toMatchObject([
      [{ id: question?.id }, { id: answer?.id }],
    ]);
  });

  it("nitka backup makes a copy with every conversation, which another program can use", async () => {
    const before = await visitor.messages();
    await nitka({}, "backup", "--to", "copy.db");
    // The steps of docs/operating.md.
    const restored = join(app.folder, "restored");
    mkdirSync(restored);
    copyFileSync(join(app.folder, "copy.db"), join(restored, "nitka.db"));
    copyFileSync(join(app.folder, "data", "secret"), join(restored, "secret"));
    const second = await app.serve(oldest, bin, { ...fast, NITKA_DATA: restored });
    try {
      const again = visitor.at(second.url);
      expect(await again.messages()).toEqual(before);
      expect(await again.ask("Ещё раз")).toContain('"type":"finish"');
    } finally {
      await second.stop();
    }
  });
});

describe("On Postgres with the roles of the docs", () => {
  const secret = { ...fast, NITKA_SECRET: "the secret of sixteen letters" };
  let postgres: TemporaryPostgres;
  let database: URL;
  /** The address with the docs' role that migrates, or with the one that serves. */
  const as = (role: "owner" | "app", name = database.pathname.slice(1)) =>
    Object.assign(new URL(database), { username: `nitka_${role}`, pathname: name }).href;
  const tool = async (name: string, ...args: readonly string[]) => {
    const env = { PGHOST: database.hostname, PGPORT: database.port, PGUSER: "postgres" };
    const { ok, output } = await runCommand(join(tools, name), args, { env });
    if (!ok) throw new Error(`${name} ${args.join(" ")} failed:\n${output}`);
  };

  beforeAll(async () => {
    postgres = await startTemporaryPostgres(tools);
    database = new URL(await postgres.createDatabase());
    const [roles = ""] = codeIn("operating.md", "The database schema: migrations, roles");
    await tool("psql", "--set=ON_ERROR_STOP=1", `--dbname=${database.href}`, `--command=${roles}`);
  });
  afterAll(async () => postgres?.stop());

  it("nitka migrate creates the schema, and a restored dump has every conversation", async () => {
    const serve = (url: string) => app.serve(oldest, bin, { ...secret, DATABASE_URL: url, NITKA_MIGRATE: "off" });
    expect(await nitka({ DATABASE_URL: as("owner") }, "migrate")).toContain("is up to date. Steps taken:");
    const program = await serve(as("app"));
    try {
      const visitor = await newVisitor(program.url);
      await visitor.ask(QUESTION);
      const before = await visitor.messages();
      expect(before).toHaveLength(2);

      const [, commands = ""] = codeIn("operating.md", "Backups and restore");
      for (const command of commands.trim().split("\n")) {
        const [name = "", ...args] = command
          .replaceAll(/postgres:\/\/nitka_owner:…@db\/(\w+)/g, (_, each: string) =>
            as("owner", each === "chat" ? undefined : each),
          )
          .replace("/backups", app.folder)
          .replace("--host=db", `--host=${database.hostname}`)
          .split(" ");
        await tool(name, ...args);
      }
      const second = await serve(as("app", "chat_restored"));
      try {
        const again = visitor.at(second.url);
        expect(await again.messages()).toEqual(before);
        expect(await again.ask("Ещё раз")).toContain('"type":"finish"');
      } finally {
        await second.stop();
      }
    } finally {
      await program.stop();
    }
  });
});

function nitka(env: Env, ...args: readonly string[]): Promise<string> {
  // The oldest Node warns that its SQLite is new.
  return app.runWith({ NODE_NO_WARNINGS: "1", ...env }, oldest, bin, ...args);
}

/** The output of a command after the name of the database that it reads. */
function jsonIn(output: string): unknown {
  return JSON.parse(output.slice(output.indexOf("{")));
}
