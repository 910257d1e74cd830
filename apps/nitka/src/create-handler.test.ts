import { describe, expect, it } from "vitest";
import { createHandler } from "./create-handler.ts";
import { createPages } from "./pages.ts";

const handler = createHandler({
  chat: { fetch: async (request) => new Response(`chat ${new URL(request.url).pathname}`) },
  widget: async (_, path) => (path === "nitka.js" ? new Response("script") : undefined),
  pages: () => createPages({ projectId: 'a"b', shopProjectId: "shop", title: "<Лавка>", imageHosts: ["img.example"] }),
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
});

describe("createHandler", () => {
  it.each([
    "/api/debug/threads",
    "/api/projects/x/config",
    "/p/shop/api/debug/threads",
    "/healthz",
    "/readyz",
    "/metrics",
    "/openapi.json",
  ])("leaves %s to the chat server", async (path) => {
    expect(await (await get(path)).text()).toBe(`chat ${path}`);
  });

  it("serves the widget, and tells any site which file is missing", async () => {
    expect(await (await get("/widget/nitka.js")).text()).toBe("script");
    const missing = await get("/widget/nope.js");
    expect([missing.status, missing.headers.get("access-control-allow-origin")]).toEqual([404, "*"]);
    expect(await missing.text()).toContain("/widget/nitka.js");
  });

  it.each(["/", "/c/abc", "/c/abc/"])("serves the full page at %s", async (path) => {
    const response = await get(path);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const html = await response.text();
    expect(html).toContain("<title>&lt;Лавка&gt;</title>");
    expect(html).toContain('data-project="a&quot;b"');
    expect(html).toContain("<noscript>");
  });

  it.each([
    ["/demo/", "inline"],
    ["/demo/c/abc", "inline"],
    ["/demo/launcher", "launcher"],
  ])("serves the shop of its own project at %s, with the layout %s", async (path, layout) => {
    const html = await (await get(path)).text();
    expect(html).toContain(`<body data-project="shop" data-layout="${layout}">`);
    expect(html).not.toContain("{{");
  });

  it("allows no inline scripts, and images only from the project's hosts", async () => {
    for (const path of ["/", "/demo/", "/demo/launcher"]) {
      const response = await get(path);
      const policy = response.headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("img-src 'self' data: blob: https://img.example;");
      expect(policy).not.toContain("unsafe");
      // There is nothing inline, which the policy would refuse.
      expect(await response.text()).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
    }
  });

  it("serves the files of the pages, but no template", async () => {
    for (const path of [
      "/full-page.css",
      "/full-page.js",
      "/favicon.svg",
      "/demo/shop.css",
      "/demo/shop.js",
      "/demo/shop/basket.js",
      "/demo/goods/bowl.svg",
    ]) {
      expect([path, (await get(path)).status]).toEqual([path, 200]);
    }
    expect((await get("/full-page.html")).status).toBe(404);
    expect((await get("/demo/shop.html")).status).toBe(404);
  });

  it("serves every file that the pages refer to", async () => {
    for (const path of ["/", "/demo/", "/demo/launcher"]) {
      const html = await (await get(path)).text();
      const named = [...html.matchAll(/(?:src|href)="(\/[^"#]*)"/g)].map(([, address = ""]) => address);
      for (const address of named.filter((each) => !each.startsWith("/widget/"))) {
        expect([address, (await get(address)).status]).toEqual([address, 200]);
      }
    }
  });

  it("serves every module that the shop imports", async () => {
    const reached = new Set(["/demo/shop.js"]);
    for (const path of reached) {
      const response = await get(path);
      expect([path, response.status]).toEqual([path, 200]);
      const named = [...(await response.text()).matchAll(/ from "(\.[^"]+)"/g)].map(([, name = ""]) => name);
      for (const name of named) reached.add(new URL(name, `http://localhost${path}`).pathname);
    }
    expect(reached.size).toBeGreaterThan(5);
  });

  it("redirects variants of its addresses", async () => {
    const moved = await Promise.all(["/demo", "/demo/launcher/", "/favicon.ico"].map(get));
    expect(moved.map((response) => [response.status, response.headers.get("location")])).toEqual([
      [308, "/demo/"],
      [308, "/demo/launcher"],
      [308, "/favicon.svg"],
    ]);
  });

  it("does not send a page again when the ETag matches", async () => {
    const etag = (await get("/")).headers.get("etag") ?? "";
    const again = await handler(new Request("http://localhost/", { headers: { "if-none-match": etag } }), {});
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  it("gives the chat's address on an unknown path, and refuses methods other than GET and HEAD", async () => {
    const lost = await get("/nope");
    expect([lost.status, await lost.text()]).toEqual([404, expect.stringContaining("Такой страницы нет")]);
    const posted = await handler(new Request("http://localhost/", { method: "POST" }), {});
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });
});

function get(path: string): Promise<Response> {
  return handler(new Request(`http://localhost${path}`), {});
}
