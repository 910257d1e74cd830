import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { brief, fromSitemap, paths, read, siteOf, openTestStore } from "../test-reading.contract.ts";
import { article, sitemapOf, startTestSite } from "../test-site.contract.ts";

describe("sources", () => {
  test("a sitemap may be an index, compressed, and of several forms", async () => {
    await using site = await siteOf(6);
    const at = (path: string): string => site.origin + path;
    site.pages.set(
      "/sitemap.xml",
      `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>${at("/a.xml.gz")}</loc></sitemap><sitemap><loc><![CDATA[${at("/b.txt")}]]></loc></sitemap><sitemap><loc>${at("/c.xml")}</loc></sitemap></sitemapindex>`,
    );
    const body = gzipSync(
      `<s:urlset xmlns:s="x"><s:url><s:loc> ${at("/p0")}\n</s:loc><image:image><image:loc>${at("/i.png")}</image:loc></image:image></s:url><s:url><s:loc>${at("/p1?a=1&amp;b=2")}</s:loc></s:url></s:urlset>`,
    );
    site.pages.set("/a.xml.gz", { headers: { "content-type": "application/gzip" }, body });
    site.pages.set("/p1?a=1&b=2", article("Один", "Текст."));
    site.pages.set("/b.txt", { headers: { "content-type": "text/plain" }, body: `${at("/p2")}\n${at("/p3")}` });
    site.pages.set("/c.xml", sitemapOf([at("/p4"), "https://else.example/x"]));
    const store = await openTestStore();
    const result = await read(store, fromSitemap(site));
    expect(await paths(store)).toEqual(["/p0", "/p1", "/p2", "/p3", "/p4"]);
    expect(result.skipped).toEqual([{ url: "https://else.example/x", reason: `It is not on ${site.origin}.` }]);
  });

  test("`include` and `exclude` match path and query as a whole", async () => {
    await using site = await startTestSite();
    const all = ["/help/a", "/help/a?print=1", "/help", "/shop/help/a", "/%D0%BF%D0%BE%D0%BC%D0%BE%D1%89%D1%8C/1"];
    for (const path of all) site.pages.set(path, article(path, `Текст ${path}.`));
    site.list(all);
    const sources = [
      { sitemap: `${site.origin}/sitemap.xml`, include: ["/help/*", "/помощь/*"], exclude: ["*?print=*"] },
    ];
    const store = await openTestStore();
    await read(store, sources);
    expect(await paths(store)).toEqual(["/%D0%BF%D0%BE%D0%BC%D0%BE%D1%89%D1%8C/1", "/help/a"]);
  });

  test("a folder gives its documents, without dot files and links that lead out of it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "nitka-folder-"));
    try {
      await mkdir(join(folder, "docs/deep dir/.git"), { recursive: true });
      const write = async (path: string, text: string): Promise<void> => await writeFile(join(folder, path), text);
      await write("secret.md", "# Тайна\n\nТекст");
      await write("docs/a.md", "# Первый\n\nТекст.");
      await write("docs/deep dir/б.html", article("Второй", "Текст."));
      await write("docs/c.txt", "Просто текст.");
      await write("docs/.hidden.md", "# Нет");
      await write("docs/deep dir/.git/x.md", "# Нет");
      await write("docs/picture.png", "нет");
      await symlink(join(folder, "secret.md"), join(folder, "docs/link.md"));
      await symlink(folder, join(folder, "docs/loop"));
      await symlink(join(folder, "docs/a.md"), join(folder, "docs/same.md"));
      const sources = [{ folder: join(folder, "docs"), url: "https://shop.example/handbook/" }];
      const store = await openTestStore();
      expect(brief(await read(store, sources))).toEqual([4, 0, 0, 0, 0]);
      expect((await store.knownPages("shop")).map(({ url, title }) => `${url} ${title}`).toSorted()).toEqual([
        "https://shop.example/handbook/a.md Первый",
        "https://shop.example/handbook/c.txt c",
        "https://shop.example/handbook/deep%20dir/%D0%B1.html Второй",
        "https://shop.example/handbook/same.md Первый",
      ]);
      await write("docs/c.txt", "Просто другой текст.");
      await rm(join(folder, "docs/a.md"));
      expect(brief(await read(store, sources))).toEqual([0, 1, 1, 2, 0]);
      expect(
        (await read(store, [{ folder: join(folder, "none"), url: "https://shop.example/handbook/" }])).unread,
      ).toHaveLength(1);
      expect(await store.knownPages("shop")).toHaveLength(2);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
