import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWidgetFiles } from "./serve-widget.ts";
import type { StaticFiles } from "./static-files.ts";

const script = `window.Nitka = ${JSON.stringify("нитка ".repeat(200))};`;
let folder = "";
let files: StaticFiles;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "nitka-"));
  const dist = join(folder, "dist");
  mkdirSync(join(dist, "chunks"), { recursive: true });
  writeFileSync(join(folder, "secret.js"), "secret");
  writeFileSync(join(dist, "nitka.js"), script);
  writeFileSync(join(dist, "main.css"), "a{}");
  writeFileSync(join(dist, "app-D1E9LTcE.js"), "export {}");
  writeFileSync(join(dist, ".hidden.js"), "hidden");
  writeFileSync(join(dist, "notes.exe"), "no");
  files = createWidgetFiles(dist);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe("The widget's files", () => {
  it("may be loaded by any site, and are revalidated each time", async () => {
    const response = await get("nitka.js");
    expect(Object.fromEntries(response?.headers ?? [])).toMatchObject({
      "access-control-allow-origin": "*",
      "cache-control": "no-cache",
      "content-type": "text/javascript; charset=utf-8",
      "cross-origin-resource-policy": "cross-origin",
      etag: expect.stringMatching(/^"[\w-]{22}"$/) as unknown,
      vary: "accept-encoding",
      "x-content-type-options": "nosniff",
    });
    expect(await response?.text()).toBe(script);
    expect((await get("main.css"))?.headers.get("content-type")).toBe("text/css; charset=utf-8");
  });

  it("are cached for ever when their names contain a hash", async () => {
    expect((await get("app-D1E9LTcE.js"))?.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  });

  it("are compressed with an encoding that the browser accepts", async () => {
    const brotli = await get("nitka.js", { "accept-encoding": "gzip, deflate, br" });
    expect(brotli?.headers.get("content-encoding")).toBe("br");
    const bytes = Buffer.from((await brotli?.arrayBuffer()) ?? new ArrayBuffer());
    expect(brotli?.headers.get("content-length")).toBe(String(bytes.byteLength));
    expect(brotliDecompressSync(bytes).toString()).toBe(script);
    const gzip = await get("nitka.js", { "accept-encoding": "gzip;q=1, br;q=0" });
    expect(gzip?.headers.get("content-encoding")).toBe("gzip");
    expect(gunzipSync(Buffer.from((await gzip?.arrayBuffer()) ?? new ArrayBuffer())).toString()).toBe(script);
  });

  it("are not sent again when the ETag matches", async () => {
    const etag = (await get("nitka.js"))?.headers.get("etag") ?? "";
    const again = await get("nitka.js", { "if-none-match": `"other", W/${etag}` });
    expect([again?.status, await again?.text(), again?.headers.get("etag")]).toEqual([304, "", etag]);
  });

  it("respond to HEAD with headers only", async () => {
    const response = await files(new Request("http://localhost/", { method: "HEAD" }), "nitka.js");
    expect([response?.headers.get("content-length"), await response?.text()]).toEqual([
      String(Buffer.byteLength(script)),
      "",
    ]);
  });

  it("are read again after a rebuild", async () => {
    const path = join(folder, "dist", "base.css");
    writeFileSync(path, "a{}");
    expect(await (await get("base.css"))?.text()).toBe("a{}");
    writeFileSync(path, "b{}");
    utimesSync(path, new Date(), new Date(Date.now() + 5_000));
    expect(await (await get("base.css"))?.text()).toBe("b{}");
  });

  it.each([
    "../secret.js",
    "..%2fsecret.js",
    "%2e%2e/secret.js",
    "chunks/../../secret.js",
    "..%5csecret.js",
    "/etc/passwd",
    "nitka.js%00.css",
    "%E0%A4%A",
    ".hidden.js",
    "chunks",
    "",
    "notes.exe",
    "missing.js",
  ])("cannot be outside their folder: %s", async (path) => {
    expect(await get(path)).toBeUndefined();
  });
});

function get(path: string, headers: Readonly<Record<string, string>> = {}) {
  return files(new Request("http://localhost/", { headers }), path);
}
