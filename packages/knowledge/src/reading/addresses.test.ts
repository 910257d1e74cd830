import { describe, expect, test } from "vitest";
import { brief, fromSitemap, numbered, openTestStore, paths, read, siteOf } from "./test-reading.contract.ts";
import { article, sitemapOf, startTestSite } from "./test-site.contract.ts";

describe("addresses", () => {
  const canonical = (title: string, href: string): string =>
    article(title, "Текст.").replace("<title>", `<link rel="canonical" href="${href}"><title>`);

  test("a page stays whose canonical address redirects back to it", async () => {
    await using site = await startTestSite();
    site.pages.set("/a/", { headers: { etag: "" }, body: canonical("А", "/a") });
    site.pages.set("/a", { status: 301, headers: { location: "/a/" } });
    site.list(["/a/"]);
    const store = await openTestStore();
    expect(brief(await read(store, fromSitemap(site)))).toEqual([1, 0, 0, 0, 0]);
    for (let time = 0; time < 2; time += 1) {
      expect(brief(await read(store, fromSitemap(site)))).toEqual([0, 0, 1, 0, 0]);
      expect(await paths(store)).toEqual(["/a/"]);
    }
  });

  test("a redirect may name its address as it is written, without percent-encoding", async () => {
    await using site = await startTestSite();
    site.pages.set("/old", (_, response) => {
      response.socket?.end("HTTP/1.1 301 Moved\r\nLocation: /доставка/\r\nContent-Length: 0\r\n\r\n");
    });
    site.pages.set(encodeURI("/доставка/"), article("Доставка", "Текст."));
    site.list(["/old"]);
    const store = await openTestStore();
    expect(brief(await read(store, fromSitemap(site)))).toEqual([1, 0, 0, 0, 0]);
    expect(await paths(store)).toEqual([encodeURI("/доставка/")]);
  });

  test("a page whose address is too long for a database's index fails alone, and a long title is cut", async () => {
    await using site = await siteOf(2);
    const long = `/${"a".repeat(2_048)}`;
    site.pages.set(long, article("Длинный адрес", "Текст."));
    site.pages.set("/p1", article("слово ".repeat(10_000), "Текст."));
    site.list(["/p0", long, "/p1"]);
    const store = await openTestStore();
    const result = await read(store, fromSitemap(site));
    expect(brief(result)).toEqual([2, 0, 0, 0, 1]);
    expect(result.failed).toMatchObject([{ code: "too_large", url: site.origin + long }]);
    expect((await store.knownPages("shop")).map(({ title }) => title.length)).toEqual(["Страница /p0".length, 300]);
  });

  test("a page of many addresses keeps its text, though most pages have it", async () => {
    await using site = await siteOf(9);
    const copies = Array.from({ length: 12 }, (_, at) => `/return?size=${at}`);
    for (const path of copies) site.pages.set(path, article("Возврат", "Вернуть товар можно за 14 дней."));
    site.list([...numbered(9), ...copies]);
    const store = await openTestStore();
    expect(brief(await read(store, fromSitemap(site)))).toEqual([21, 0, 0, 0, 0]);
    expect((await store.knownPages("shop")).every(({ passages }) => passages === 1)).toBe(true);
  });

  test("a sitemap that was cut off takes no pages away", async () => {
    await using site = await siteOf(4);
    const store = await openTestStore();
    await read(store, fromSitemap(site));
    site.pages.set("/sitemap.xml", `<urlset><url><loc>${site.origin}/p0</loc></url><url><loc>${site.origin}/p`);
    const result = await read(store, fromSitemap(site));
    expect(brief(result)).toEqual([0, 0, 1, 0, 1]);
    expect(result.failed).toMatchObject([{ code: "not_sitemap", reason: expect.stringContaining("cut off") }]);
    expect(await store.knownPages("shop")).toHaveLength(4);
    site.pages.set("/sitemap.xml", sitemapOf([`${site.origin}/p0`]));
    expect(brief(await read(store, fromSitemap(site)))).toEqual([0, 0, 1, 3, 0]);
    site.pages.set("/sitemap.xml", '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" />');
    expect(brief(await read(store, fromSitemap(site)))).toEqual([0, 0, 0, 1, 0]);
  });
});
