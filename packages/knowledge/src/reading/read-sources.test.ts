import { describe, expect, test } from "vitest";
import { readSources } from "./read-sources.ts";
import { brief, fromSitemap, numbered, paths, read, siteOf, openTestStore } from "./test-reading.contract.ts";
import { article, sitemapOf } from "./test-site.contract.ts";

describe("a reading", () => {
  test("counts what is new, changed, unchanged, gone and failed, and writes only what is new", async () => {
    await using site = await siteOf(6);
    const store = await openTestStore();
    expect(brief(await read(store, fromSitemap(site)))).toEqual([6, 0, 0, 0, 0]);
    expect(await store.page("shop", `${site.origin}/p1`)).toMatchObject({
      title: "Страница /p1",
      passages: 1,
      content: { language: "ru", passages: [{ headings: [], text: "Текст страницы /p1." }] },
    });
    site.pages.set("/p1", article("Страница /p1", "Другой текст."));
    site.pages.set("/p2", { status: 500 });
    site.pages.delete("/p3");
    site.list(numbered(5).concat("/p6"));
    site.pages.set("/p6", article("Новая", "Текст."));
    // The version has changed, the text has not.
    site.pages.set("/p4", article("Страница /p4", "Текст страницы /p4.<!-- 2 -->"));
    site.requests.length = 0;
    const result = await read(store, fromSitemap(site));
    expect(brief(result)).toEqual([1, 1, 2, 2, 1]);
    expect(result.failed).toEqual([
      {
        url: `${site.origin}/p2`,
        source: `sitemap ${site.origin}/sitemap.xml`,
        code: "http",
        reason: "The server returns 500.",
      },
    ]);
    expect(await paths(store)).toEqual(["/p0", "/p1", "/p2", "/p4", "/p6"]);
    expect(store.writes()).toBe(8);
    expect(site.requests.filter(({ status }) => status === 304).map(({ url }) => url)).toEqual(["/p0"]);
    expect(await store.lastReading("shop")).toEqual(result);
    expect(site.requests.every(({ agent }) => /^NitkaBot\/\d+\.\d+\.\d+ \(\+https:\/\/\S+\)$/.test(agent))).toBe(true);
    expect(site.mostAtATime()).toBeLessThanOrEqual(2);
  });

  test("with `full` reads and writes all, with `dryRun` reads and writes nothing", async () => {
    await using site = await siteOf(3);
    const store = await openTestStore();
    expect(brief(await read(store, fromSitemap(site), { dryRun: true }))).toEqual([3, 0, 0, 0, 0]);
    expect([store.writes(), await store.lastReading("shop")]).toEqual([0, undefined]);
    await read(store, fromSitemap(site));
    expect(brief(await read(store, fromSitemap(site), { full: true }))).toEqual([0, 0, 3, 0, 0]);
    expect(store.writes()).toBe(6);
    site.list(["/p0"]);
    expect(brief(await read(store, fromSitemap(site), { dryRun: true }))).toEqual([0, 0, 1, 2, 0]);
    expect(await store.knownPages("shop")).toHaveLength(3);
  });

  test("reads and writes unchanged pages anew where another version has cut or indexed them", async () => {
    await using site = await siteOf(2);
    const store = await openTestStore();
    await read(store, fromSitemap(site));
    const url = `${site.origin}/p0`;
    const page = await store.page("shop", url);
    if (!page) throw new Error("the page is not stored");
    const { content, title: _, passages: __, ...place } = page;
    await store.putPage("shop", { ...place, digest: page.digest.replace(/^\d+\.\d+:/, "1.0:") }, content);
    site.requests.length = 0;
    await read(store, fromSitemap(site));
    expect(site.requests.filter(({ status }) => status === 304).map(({ url: path }) => path)).toEqual(["/p1"]);
    expect(await store.page("shop", url)).toMatchObject({ digest: page.digest, content });
  });

  test("removes none of many pages that are gone at once, unless it is told to", async () => {
    await using site = await siteOf(60);
    const store = await openTestStore();
    await read(store, fromSitemap(site));
    site.list(numbered(50));
    for (const path of ["/p1", "/p2", "/p3"]) site.pages.delete(path);
    const held = await read(store, fromSitemap(site));
    expect(held).toMatchObject({ gone: 0, heldBack: [{ source: `sitemap ${site.origin}/sitemap.xml`, pages: 13 }] });
    expect(await store.knownPages("shop")).toHaveLength(60);
    expect(await read(store, fromSitemap(site), { prune: true })).toMatchObject({ gone: 13, heldBack: [] });
    expect(await store.knownPages("shop")).toHaveLength(47);
    // Ten are few, whatever their share is.
    site.list(numbered(50).slice(13));
    expect(await read(store, fromSitemap(site))).toMatchObject({ gone: 10, heldBack: [] });
  });

  test("removes the pages of a source that is no longer named, and keeps those that another source names", async () => {
    await using site = await siteOf(30);
    const store = await openTestStore();
    await read(store, fromSitemap(site));
    const result = await read(store, [{ pages: [`${site.origin}/p1`, `${site.origin}/p2`] }]);
    expect(brief(result)).toEqual([0, 0, 2, 28, 0]);
    expect((await store.knownPages("shop")).map(({ source }) => source)).toEqual([
      `pages ${site.origin}`,
      `pages ${site.origin}`,
    ]);
  });

  test("leaves a source alone that cannot be read, or is read in part", async () => {
    await using site = await siteOf(5);
    const store = await openTestStore();
    await read(store, fromSitemap(site));
    site.pages.set("/sitemap.xml", { status: 503 });
    expect(await read(store, fromSitemap(site))).toMatchObject({
      gone: 0,
      unread: [{ source: `sitemap ${site.origin}/sitemap.xml`, reason: "The server returns 503 for the sitemap." }],
    });
    site.pages.set("/sitemap.xml", "<html>Войдите</html>");
    expect((await read(store, fromSitemap(site))).unread).toHaveLength(1);
    const index = `<sitemapindex><sitemap><loc>${site.origin}/a.xml</loc></sitemap><sitemap><loc>${site.origin}/b.xml</loc></sitemap></sitemapindex>`;
    site.pages.set("/sitemap.xml", index);
    site.pages.set("/a.xml", sitemapOf([`${site.origin}/p0`]));
    expect(brief(await read(store, fromSitemap(site)))).toEqual([0, 0, 1, 0, 1]);
    expect(await store.knownPages("shop")).toHaveLength(5);
  });

  test("is made by one reader at a time", async () => {
    await using site = await siteOf(2);
    const store = await openTestStore();
    let release: (() => void) | undefined;
    const asked = new Promise<void>((done) => {
      site.pages.set("/p0", (_, response) => {
        release = () => response.setHeader("content-type", "text/html").end(article("А", "Б."));
        done();
      });
    });
    const first = read(store, fromSitemap(site));
    await asked;
    const options = { store, projectId: "shop", sources: fromSitemap(site), signal: new AbortController().signal };
    expect(await readSources(options)).toBe("busy");
    release?.();
    expect(brief(await first)).toEqual([2, 0, 0, 0, 0]);
    site.pages.set("/p0", article("А", "Б."));
    expect(await readSources(options)).not.toBe("busy");
  });

  test("that has lost its lease ends, and says so as if it had not begun", async () => {
    await using site = await siteOf(5);
    const store = await openTestStore();
    let leases = 0;
    const losing = { ...store, leaseReading: async () => await Promise.resolve((leases += 1) === 1) };
    site.pages.set("/p3", () => undefined);
    const options = {
      store: losing,
      projectId: "shop",
      sources: fromSitemap(site),
      signal: new AbortController().signal,
    };
    expect(await readSources({ ...options, limits: { leaseMs: 60 } })).toBe("busy");
    expect((await store.knownPages("shop")).length).toBeLessThan(5);
  });

  test("ends at once with its signal, keeps the pages that it has stored, and gives the lease back", async () => {
    await using site = await siteOf(5);
    const store = await openTestStore();
    const abort = new AbortController();
    site.pages.set("/p3", () => abort.abort(new Error("the process ends")));
    await expect(read(store, fromSitemap(site), { signal: abort.signal })).rejects.toThrow("the process ends");
    expect(await paths(store)).toEqual(["/p0", "/p1", "/p2"]);
    site.pages.set("/p3", article("Три", "Текст."));
    expect(brief(await read(store, fromSitemap(site)))).toEqual([2, 0, 3, 0, 0]);
  });

  test("leaves out what most pages have word for word, the same whether a page is read with the others or alone", async () => {
    await using site = await siteOf(20);
    const banner = "<p>Бесплатная доставка до конца месяца!</p>";
    const page = (path: string, text: string): string => article(path, `${text}</p>${banner}<p>Конец ${path}.`);
    for (const path of numbered(20)) site.pages.set(path, page(path, "Начало."));
    const store = await openTestStore();
    await read(store, fromSitemap(site));
    const textOf = async (path: string): Promise<string> =>
      (await store.page("shop", site.origin + path))?.content.passages.map(({ text }) => text).join("\n") ?? "";
    expect(await textOf("/p7")).toBe("Конец /p7.");
    site.pages.set("/p7", page("/p7", "Совсем другое начало."));
    site.requests.length = 0;
    expect(brief(await read(store, fromSitemap(site)))).toEqual([0, 1, 19, 0, 0]);
    expect(await textOf("/p7")).toBe("Совсем другое начало.\nКонец /p7.");
    expect(site.requests.filter(({ status }) => status === 304)).toHaveLength(19);
    // A banner that comes later is found when most pages have changed with it.
    for (const path of numbered(20)) site.pages.set(path, page(path, "Начало.").replace(banner, "<p>Распродажа!</p>"));
    await read(store, fromSitemap(site));
    expect(await textOf("/p7")).toBe("Конец /p7.");
  });

  test("makes vectors of new passages alone, and tells when their service fails", async () => {
    await using site = await siteOf(3);
    const store = await openTestStore();
    const asked: string[] = [];
    const embeddings = {
      model: "small",
      embed: async (texts: readonly string[]) => {
        asked.push(...texts);
        return texts.map((text) => Float32Array.of(text.length, 1));
      },
    };
    await read(store, fromSitemap(site), { embeddings });
    expect(asked).toHaveLength(3);
    site.pages.set("/p1", article("Страница /p1", "Другой текст."));
    const fails = async (): Promise<never> => await Promise.reject(new Error("the service sleeps"));
    expect(await read(store, fromSitemap(site), { embeddings: { model: "small", embed: fails } })).toMatchObject({
      changed: 1,
      unread: [{ source: "embeddings small", reason: expect.stringContaining("the service sleeps") }],
    });
    await read(store, fromSitemap(site), { embeddings });
    expect(asked.slice(3)).toEqual(["Страница /p1\n\nДругой текст."]);
  });

  test("reads a page once that two sources name, or that two addresses lead to", async () => {
    await using site = await siteOf(3);
    site.pages.set("/old", { status: 301, headers: { location: "/p0" } });
    const pages = [`${site.origin}/old`, `${site.origin}/p0`, `${site.origin}/p0#part`];
    const store = await openTestStore();
    expect(brief(await read(store, [...fromSitemap(site), { pages }]))).toEqual([3, 0, 0, 0, 0]);
    const redirected = await openTestStore();
    expect(brief(await read(redirected, [{ pages: [`${site.origin}/old`] }]))).toEqual([1, 0, 0, 0, 0]);
    expect(await redirected.knownPages("shop")).toMatchObject([
      { url: `${site.origin}/p0`, listedAs: `${site.origin}/old` },
    ]);
    expect(brief(await read(redirected, [{ pages: [`${site.origin}/old`] }]))).toEqual([0, 0, 1, 0, 0]);
    site.pages.set("/p0", { status: 500 });
    expect(brief(await read(redirected, [{ pages: [`${site.origin}/old`] }]))).toEqual([0, 0, 0, 0, 1]);
    expect(await redirected.knownPages("shop")).toHaveLength(1);
  });
});

describe("manners", () => {
  test("robots.txt, noindex and a canonical address are obeyed, and are in no count", async () => {
    await using site = await siteOf(2);
    site.pages.set(
      "/robots.txt",
      "User-agent: *\nDisallow: /\n\nUser-agent: NitkaBot\nDisallow: /secret*\nAllow: /secret/open$\n",
    );
    site.pages.set(
      "/meta",
      article("Нет", "Текст.").replace("<title>", '<meta name="robots" content="noindex"><title>'),
    );
    site.pages.set("/header", {
      headers: { "x-robots-tag": "googlebot: noindex, nitkabot: noindex" },
      body: article("Нет", "Текст."),
    });
    site.pages.set("/other", { headers: { "x-robots-tag": "googlebot: noindex" }, body: article("Да", "Текст.") });
    site.pages.set(
      "/copy",
      article("Копия", "Текст.").replace("<title>", '<link rel="canonical" href="/real"><title>'),
    );
    site.pages.set("/real", article("Сама", "Текст.").replace("<title>", '<link rel="canonical" href="/copy"><title>'));
    site.pages.set(
      "/foreign",
      article("Чужая", "Текст.").replace("<title>", '<link rel="canonical" href="https://else.example/"><title>'),
    );
    site.pages.set("/secret/open", article("Открыто", "Текст."));
    site.pages.set("/secret/a", article("Нет", "Текст."));
    site.pages.set("/to-secret", { status: 302, headers: { location: "/secret/a" } });
    site.list([
      "/meta",
      "/header",
      "/other",
      "/copy",
      "/foreign",
      "/secret/a",
      "/secret/open",
      "/to-secret",
      "/unknown",
    ]);
    const store = await openTestStore();
    const result = await read(store, fromSitemap(site));
    expect(await paths(store)).toEqual(["/foreign", "/other", "/real", "/secret/open"]);
    expect(brief(result)).toEqual([4, 0, 0, 0, 0]);
    expect(result.skipped.map(({ url, reason }) => `${new URL(url).pathname}: ${reason}`).toSorted()).toEqual([
      `/copy: Its canonical address is ${site.origin}/real.`,
      "/header: Its X-Robots-Tag says noindex.",
      "/meta: The page says noindex.",
      "/secret/a: The site's robots.txt forbids it.",
      "/to-secret: The site's robots.txt forbids it.",
    ]);
    expect(site.requests.map(({ url }) => url)).not.toContain("/secret/a");
    // A second reading finds the page that stands for another one again.
    expect(brief(await read(store, fromSitemap(site)))).toEqual([0, 0, 4, 0, 0]);
  });

  test("a robots.txt that cannot be read forbids all of its origin", async () => {
    await using site = await siteOf(2);
    site.pages.set("/robots.txt", { status: 500 });
    expect((await read(await openTestStore(), fromSitemap(site))).unread).toEqual([
      {
        source: `sitemap ${site.origin}/sitemap.xml`,
        reason: `${site.origin}/robots.txt returns 500, so no page may be read.`,
      },
    ]);
    await using other = await siteOf(1);
    const pages = [`${site.origin}/p0`, `${other.origin}/p0`];
    const result = await read(await openTestStore(), [{ pages }]);
    expect(brief(result)).toEqual([1, 0, 0, 0, 1]);
    expect(result.failed).toMatchObject([{ url: `${site.origin}/p0`, code: "robots" }]);
  });

  test("a server that is busy is asked once more after the time that it names", async () => {
    await using site = await siteOf(3);
    let times = 0;
    site.pages.set("/p0", (_, response) => {
      times += 1;
      if (times === 1) response.writeHead(503, { "retry-after": "0" }).end();
      else response.setHeader("content-type", "text/html").end(article("А", "Б."));
    });
    site.pages.set("/p1", { status: 429, headers: { "retry-after": "3600" } });
    const result = await read(await openTestStore(), fromSitemap(site));
    expect(brief(result)).toEqual([2, 0, 0, 0, 1]);
    expect(result.failed).toMatchObject([{ code: "blocked" }]);
    expect(times).toBe(2);
  });

  test("a server that no longer answers is left alone, and its pages stay", async () => {
    await using site = await siteOf(12);
    const store = await openTestStore();
    await read(store, fromSitemap(site));
    for (const path of numbered(12)) site.pages.set(path, { status: 502 });
    const result = await read(store, fromSitemap(site), { limits: { failuresInRow: 4 } });
    expect(result).toMatchObject({ gone: 0, heldBack: [], unread: [{ source: `sitemap ${site.origin}/sitemap.xml` }] });
    expect(result.failed.length).toBeLessThan(7);
    expect(await store.knownPages("shop")).toHaveLength(12);
  });
});
