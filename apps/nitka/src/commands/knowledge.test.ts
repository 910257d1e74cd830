import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NoPagesError, openPostgresKnowledge } from "@nitka/knowledge";
import { startTemporaryPostgres } from "@nitka/server/temporary-postgres";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runInProcess } from "./command.contract.ts";

describe("the commands about the knowledge of a site", () => {
  let folder = "";
  let env: Readonly<Record<string, string>> = {};
  const run = (...args: readonly string[]) => runInProcess(env, ...args);
  const page = (name: string, text: string) => writeFileSync(join(folder, "pages", name), text);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "nitka-knowledge-"));
    mkdirSync(join(folder, "pages"));
    page(
      "delivery.html",
      "<title>Доставка</title><h2 id=moscow>По Москве</h2><p>Курьер привезёт заказ за два дня.</p>",
    );
    page("returns.md", "# Возврат\n\nВернуть товар можно за 30 дней.");
    const config = join(folder, "projects.json");
    const sources = [{ folder: "pages", url: "https://shop.example/help/" }];
    writeFileSync(config, JSON.stringify({ projects: { shop: { knowledge: { sources } }, quiet: {} } }));
    env = { NITKA_DATA: join(folder, "data"), NITKA_CONFIG: config };
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("report how many addresses were left out, and why the first one was", async () => {
    page("draft.html", '<meta name="robots" content="noindex"><title>Черновик</title><p>Скоро.</p>');
    page("old.html", '<meta name="robots" content="noindex"><title>Старое</title><p>Было.</p>');
    expect((await run("ingest")).stdout).toBe(
      "2 left out, such as https://shop.example/help/draft.html: The page says noindex. --json lists them all.\n" +
        "2 new, 0 changed, 0 unchanged, 0 gone, 0 failed\n",
    );
  });

  it("read the pages, report changes, and find passages", async () => {
    expect(await run("ingest")).toMatchObject({
      code: 0,
      stdout: "2 new, 0 changed, 0 unchanged, 0 gone, 0 failed\n",
      stderr: expect.stringContaining("knowledge.db"),
    });
    page(
      "delivery.html",
      "<title>Доставка</title><h2 id=moscow>По Москве</h2><p>Курьер привезёт заказ за три дня.</p>",
    );
    rmSync(join(folder, "pages", "returns.md"));
    expect(await run("ingest", "--dry-run")).toMatchObject({
      stdout: "0 new, 1 changed, 0 unchanged, 1 gone, 0 failed\n",
    });
    expect(await run("ingest", "--project", "shop")).toMatchObject({
      stdout: "0 new, 1 changed, 0 unchanged, 1 gone, 0 failed\n",
    });
    const found = await run("search", "когда привезет курьер", "--json");
    expect(JSON.parse(found.stdout)).toEqual([
      {
        title: "Доставка",
        heading: "По Москве",
        url: "https://shop.example/help/delivery.html#moscow",
        text: "Курьер привезёт заказ за три дня.",
        score: expect.any(Number),
      },
    ]);
    expect(await run("search", "возврат")).toMatchObject({
      code: 0,
      stdout: "Nothing on the pages answers this well enough.\n",
    });
  });

  it("print the state of the pages, and one page", async () => {
    await run("ingest");
    const state = await run("knowledge", "--json");
    expect(JSON.parse(state.stdout)).toMatchObject([
      {
        projectId: "shop",
        pages: 2,
        passages: 2,
        sources: [{ source: "folder https://shop.example/help/", pages: 2, passages: 2 }],
        lastReading: { new: 2, failed: [] },
      },
    ]);
    const url = "https://shop.example/help/returns.md";
    expect(JSON.parse((await run("knowledge", "--page", url, "--json")).stdout)).toMatchObject({
      url,
      title: "Возврат",
      readAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      passages: [{ text: "Вернуть товар можно за 30 дней." }],
    });
    expect(await run("knowledge", "--page", "https://shop.example/help/none.md")).toMatchObject({
      code: 1,
      stdout: "",
    });
  });

  it("exit with 1 when a source cannot be read at all, and keep its pages", async () => {
    await run("ingest");
    rmSync(join(folder, "pages"), { recursive: true });
    const result = await run("ingest");
    expect(result.code).toBe(1);
    expect(result.stdout).toMatch(
      /could not be read: There is no folder .*\n0 new, 0 changed, 0 unchanged, 0 gone, 0 failed\n$/s,
    );
    expect((await run("search", "курьер")).stdout).toContain("delivery.html#moscow");
  });

  it.each([
    ["of a project without pages", ["ingest", "--project", "quiet"], "expected a project with knowledge, one of shop"],
    ["of an unknown project", ["search", "x", "--project", "shp"], '--project is "shp"'],
    ["without a question", ["search"], "The question is missing"],
    ["with a wrong limit", ["search", "x", "--limit", "0"], '--limit is "0": expected a whole number from 1 to 99.'],
    ["before anything was read", ["search", "x"], "No pages have been read yet"],
    ["of what has not been read", ["knowledge"], "No pages have been read yet"],
    ["of what was not asked", ["knowledge", "unanswered"], "There is no database"],
    ["to close what was not asked", ["knowledge", "close", "1"], "There is no database"],
  ])("refuse an invalid command line %s, and create no database", async (_, args, problem) => {
    const { code, stderr } = await run(...args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(problem) });
    expect(existsSync(join(folder, "data"))).toBe(false);
  });

  it("create nothing in a Postgres without pages, and name the database that they looked at", async () => {
    const postgres = await startTemporaryPostgres();
    const url = await postgres.createDatabase();
    const { host, pathname } = new URL(url);
    const questions = join(folder, "questions.jsonl");
    writeFileSync(questions, JSON.stringify({ question: "Когда?", urls: ["https://shop.example/help/returns.md"] }));
    env = { ...env, DATABASE_URL: url };
    try {
      for (const args of [["search", "x"], ["knowledge"], ["eval", questions]]) {
        const { code, stderr } = await run(...args);
        expect({ code, stderr }).toEqual({
          code: 2,
          stderr: expect.stringContaining(`Postgres at ${host}${pathname}`),
        });
      }
      await expect(openPostgresKnowledge({ url, create: false })).rejects.toThrow(NoPagesError);
      expect(await run("ingest")).toMatchObject({ code: 0 });
      expect((await run("search", "вернуть")).stdout).toContain("returns.md");
    } finally {
      await postgres.stop();
    }
  });

  it("can read again at once after a stopped reading", async () => {
    const asked = Promise.withResolvers<void>();
    const site = createServer((request, response) => {
      if (request.url === "/robots.txt") response.writeHead(404).end();
      else asked.resolve();
    });
    await new Promise<void>((resolve) => {
      site.listen(0, "127.0.0.1", resolve);
    });
    const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    const config = (sources: readonly object[]) =>
      writeFileSync(join(folder, "projects.json"), JSON.stringify({ projects: { shop: { knowledge: { sources } } } }));
    config([{ folder: "pages", url: "https://shop.example/help/" }, { pages: [`${origin}/`] }]);
    const child = spawn(process.execPath, [join(import.meta.dirname, "..", "main.ts"), "ingest"], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    try {
      await asked.promise;
      expect((await run("ingest")).stderr).toContain("or a minute after it was killed");
      const state = await run("knowledge", "--project", "shop");
      expect(state.stdout).toContain("shop: 2 pages, 2 passages");
      expect(state.stdout).toContain("not read completely yet: run nitka ingest");
      child.kill("SIGTERM");
      expect(await once(child, "exit")).toEqual([1, null]);
      expect(stderr).toMatch(/Reading was stopped\. The pages that were read are kept\.\n$/);
      config([{ folder: "pages", url: "https://shop.example/help/" }]);
      expect((await run("ingest")).stdout).toBe("0 new, 0 changed, 2 unchanged, 0 gone, 0 failed\n");
    } finally {
      child.kill("SIGKILL");
      site.closeAllConnections();
      site.close();
    }
  });
});
