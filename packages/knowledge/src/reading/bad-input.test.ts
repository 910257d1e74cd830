import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { expect, test } from "vitest";
import type { ReadingResult } from "../store/knowledge-store.ts";
import { openSqliteKnowledge } from "../store/open-sqlite.ts";
import type { ReadingOrder } from "./bad-input-process.contract.ts";
import { brief } from "./test-reading.contract.ts";
import { article, sitemapOf, startTestSite, type TestPage, type TestSite } from "./test-site.contract.ts";

interface Report {
  readonly result: ReadingResult;
  readonly megabytes: number;
}

/** A reader of its own process, with little memory, and the store that it writes: what the reader keeps without a bound would end it. */
class Reader implements AsyncDisposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "nitka-bad-input-"));
  readonly #file = join(this.#folder, "knowledge.db");
  readonly #process: ChildProcess = fork(join(import.meta.dirname, "bad-input-process.contract.ts"), [this.#file], {
    execArgv: ["--max-old-space-size=100", "--max-semi-space-size=8"],
  });
  readonly #ready = once(this.#process, "message");

  async read(order: ReadingOrder): Promise<Report> {
    await this.#ready;
    this.#process.send(order);
    const [report] = await once(this.#process, "message");
    return report as Report;
  }

  /** Path, title and first passage of each page. */
  async pages(): Promise<readonly (readonly [path: string, title: string, text: string])[]> {
    const store = await openSqliteKnowledge({ path: this.#file });
    try {
      const pages = await store.knownPages("shop");
      return await Promise.all(
        pages.map(async ({ url, title }) => {
          const page = await store.page("shop", url);
          return [new URL(url).pathname, title, page?.content.passages[0]?.text ?? ""] as const;
        }),
      );
    } finally {
      await store.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exit = once(this.#process, "exit");
    this.#process.kill();
    await exit;
    rmSync(this.#folder, { recursive: true });
  }
}

const limits = { pageMs: 8_000 };
const zeros = Buffer.alloc(1_000_000);

/** Sends pieces as fast as they are taken, until `bytes` or the reader's end. */
function flood(
  response: ServerResponse,
  bytes: number,
  piece: Uint8Array = Buffer.from("слово ".repeat(10_000)),
): void {
  let sent = 0;
  Readable.from(
    (function* () {
      for (; sent < bytes; sent += piece.length) yield piece;
    })(),
  ).pipe(response);
}

/** A gzip of so many zeros: a thousandth of them crosses the network. */
function bomb(bytes: number, headers: Readonly<Record<string, string>>): TestPage {
  return (_, response) => {
    response.writeHead(200, headers);
    let sent = 0;
    const source = Readable.from(
      (function* () {
        for (; sent < bytes; sent += zeros.length) yield zeros;
      })(),
    );
    const gzip = createGzip({ level: 1 });
    response.on("close", () => {
      source.destroy();
      gzip.destroy();
    });
    source.pipe(gzip).pipe(response);
  };
}

/** A PDF of one page: with text, or with one grey picture. */
function pdfOf(text: string | undefined): string {
  const content = text === undefined ? "q 100 0 0 100 0 0 cm /I Do Q" : `BT /F 12 Tf 20 100 Td (${text}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> /XObject << /I 6 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    "<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1 >>\nstream\nx\nendstream",
  ];
  return `%PDF-1.4\n${objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join("")}trailer << /Root 1 0 R /Size 7 >>\n`;
}

const pdf = (text?: string): TestPage => ({ headers: { "content-type": "application/pdf" }, body: pdfOf(text) });
const laughs = `<!DOCTYPE x [<!ENTITY a "ha">${Array.from({ length: 20 }, (_, at) => `<!ENTITY ${"a".repeat(at + 2)} "${`&${"a".repeat(at + 1)};`.repeat(10)}">`).join("")}]>`;

/** Pages that were good once, and how each goes bad. */
function badPages(elsewhere: TestSite): ReadonlyMap<string, readonly [page: TestPage, code: string]> {
  const html = { "content-type": "text/html" };
  return new Map<string, readonly [TestPage, string]>([
    ["/huge", [(_, response) => flood(response.writeHead(200, html), 50_000_000), "too_large"]],
    [
      "/says-huge",
      [(_, response) => response.writeHead(200, { ...html, "content-length": "50000000" }).write("a"), "too_large"],
    ],
    ["/endless", [(_, response) => flood(response.writeHead(200, html), Infinity), "too_large"]],
    ["/drips", [(_, response) => response.writeHead(200, html).write("<p>Сейчас"), "timeout"]],
    ["/silent", [() => undefined, "timeout"]],
    [
      "/cut",
      [(_, response) => void response.writeHead(200, html).write("<p>А", () => response.destroy()), "unreachable"],
    ],
    ["/bomb", [bomb(10_000_000_000, { ...html, "content-encoding": "gzip" }), "too_large"]],
    ["/loop", [{ status: 302, headers: { location: "/loop?" } }, "redirect"]],
    ["/loop?", [{ status: 302, headers: { location: "/loop" } }, "redirect"]],
    ["/out", [{ status: 302, headers: { location: `${elsewhere.origin}/stolen` } }, "redirect"]],
    ["/file", [{ status: 302, headers: { location: "file:///etc/passwd" } }, "redirect"]],
    ["/fonts", [Array.from({ length: 20_000 }, (_, at) => `<font size="${at}"><p>`).join(""), "too_complex"]],
    ["/deeper", ["<div>".repeat(100_000), "too_complex"]],
    ["/novels", [article("Длинная", "слово ".repeat(890_000)), "too_large"]],
    ["/scripts", ['<title>Магазин</title><div id="root"></div><script>start()</script>', "empty"]],
    ["/check", ["<title>Just a moment...</title><p>Checking your browser before you go on.</p>", "blocked"]],
    ["/login", [{ status: 401 }, "blocked"]],
    ["/picture", [{ headers: { "content-type": "image/png" }, body: "x" }, "not_text"]],
    ["/pictures.pdf", [pdf(), "empty"]],
    ["/broken.pdf", [{ headers: { "content-type": "application/pdf" }, body: "%PDF-1.4 nothing" }, "not_text"]],
  ]);
}

test("bad pages are told by address and reason, in 300 MB; the others are read, and the former state stays", async () => {
  await using site = await startTestSite();
  await using elsewhere = await startTestSite();
  await using reader = new Reader();
  const bad = badPages(elsewhere);
  const good: readonly (readonly [string, TestPage])[] = [
    ["/first", article("Первая", "Текст.")],
    ["/deep", `<title>Глубокая</title>${"<div>".repeat(30_000)}<p>Дно.`],
    ["/text.pdf", pdf("Delivery takes two days.")],
    [
      "/cp1251",
      {
        headers: { "content-type": "text/html; charset=utf-8" },
        body: Uint8Array.of(0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2),
      },
    ],
    ["/long", article("Длинная", "слово ".repeat(300_000))],
    ["/last", article("Последняя", "Текст.")],
  ];
  for (const path of bad.keys()) site.pages.set(path, article("Была", "Хорошая страница."));
  for (const [path, page] of good) site.pages.set(path, page);
  site.list(["/first", ...bad.keys(), ...good.slice(1).map(([path]) => path)]);
  const order = { sources: [{ sitemap: `${site.origin}/sitemap.xml` }], limits };
  const before = await reader.read(order);
  expect(before.result.failed).toEqual([]);
  expect(brief(before.result)).toEqual([bad.size + good.length, 0, 0, 0, 0]);

  const state = await reader.pages();

  for (const [path, [page]] of bad) site.pages.set(path, page);
  const after = await reader.read(order);
  expect(brief(after.result)).toEqual([0, 0, good.length, 0, bad.size]);
  const told = after.result.failed.map(({ url, code }) => `${url.slice(site.origin.length)} ${code}`);
  expect(told.toSorted()).toEqual([...bad].map(([path, [, code]]) => `${path} ${code}`).toSorted());
  expect(after.result.failed.every(({ reason }) => reason.length > 10)).toBe(true);
  expect(await reader.pages()).toEqual(state);
  expect(state).toContainEqual(["/deep", "Глубокая", "Дно."]);
  expect(state).toContainEqual(["/cp1251", "cp1251", "Привет"]);
  expect(state).toContainEqual(["/text.pdf", "text", "Delivery takes two days."]);
  expect(elsewhere.requests).toEqual([]);
  expect(after.megabytes).toBeLessThan(300);
});

test("sitemaps without end, with a million addresses or with entities that expand, and a robots.txt of 10 MB", async () => {
  await using site = await startTestSite();
  await using reader = new Reader();
  const at = (path: string): string => site.origin + path;
  site.pages.set("/help/a", article("Помощь", "Текст."));
  site.pages.set("/help/b", article("Ещё", "Текст."));
  site.pages.set("/help/secret", article("Тайна", "Текст."));
  site.pages.set(
    "/robots.txt",
    `User-agent: *\nDisallow: /help/secret\n${"# filler\n".repeat(1_200_000)}Disallow: /\n`,
  );
  site.pages.set("/bomb.xml.gz", bomb(10_000_000_000, { "content-type": "application/gzip" }));
  site.pages.set("/million.txt", (_, response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    let line = 0;
    Readable.from(
      (function* () {
        for (; line < 1_000_000; line += 10_000) {
          yield Array.from({ length: 10_000 }, (_, more) => `${at(`/goods/${line + more}`)}\n`).join("");
        }
        yield `${at("/help/b")}\n`;
      })(),
    ).pipe(response);
  });
  const expands = `${laughs}<urlset><url><loc>${at("/help/&aaaaaaaaaaaaaaaaaaaaa;")}</loc></url><url><loc>${at("/help/a")}</loc></url></urlset>`;
  site.pages.set("/laughs.xml", expands);
  site.pages.set("/self.xml", `<sitemapindex><sitemap><loc>${at("/self.xml")}</loc></sitemap></sitemapindex>`);
  site.pages.set("/broken.xml.gz", { body: Buffer.from("\u001f\u008bno archive", "latin1") });
  const children = ["/bomb.xml.gz", "/million.txt", "/laughs.xml", "/self.xml", "/broken.xml.gz"];
  const index = sitemapOf([...children.map(at), at("/help.xml")])
    .replaceAll("urlset", "sitemapindex")
    .replaceAll("<url>", "<sitemap>");
  site.pages.set("/sitemap.xml", index);
  site.pages.set("/help.xml", sitemapOf([at("/help/secret")]));

  const report = await reader.read({ sources: [{ sitemap: at("/sitemap.xml"), include: ["/help/*"] }], limits });
  expect((await reader.pages()).map(([path]) => path).toSorted()).toEqual(["/help/a", "/help/b"]);
  expect(report.result.failed.map(({ url, code }) => [url.slice(site.origin.length), code])).toEqual([
    ["/bomb.xml.gz", "too_large"],
    ["/broken.xml.gz", "not_sitemap"],
  ]);
  expect(report.result.skipped).toEqual([{ url: at("/help/secret"), reason: "The site's robots.txt forbids it." }]);

  // Of more pages than a source may have, the first are read, and none is taken for one that is gone.
  site.pages.set("/few.txt", {
    headers: { "content-type": "text/plain" },
    body: `${at("/goods/0")}\n${at("/help/a")}\n`,
  });
  site.pages.set("/sitemap.xml", sitemapOf([at("/few.txt"), at("/million.txt")]).replaceAll("urlset", "sitemapindex"));
  const many = await reader.read({ sources: [{ sitemap: at("/sitemap.xml") }], limits: { ...limits, pages: 20 } });
  expect(many.result).toMatchObject({
    gone: 0,
    heldBack: [],
    failed: [{ url: at("/million.txt"), code: "too_many" }],
  });
  expect(await reader.pages()).toHaveLength(2);
  const all = await reader.read({ sources: [{ sitemap: at("/million.txt"), exclude: ["/goods/*"] }], limits });
  expect((await reader.pages()).map(([path]) => path)).toEqual(["/help/b"]);
  expect(all.megabytes).toBeLessThan(300);
});
