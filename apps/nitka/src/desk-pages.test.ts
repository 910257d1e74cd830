import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createOpsHandler } from "./create-handler.ts";
import { createDeskPages } from "./pages.ts";

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

const chat = { fetch: async () => new Response("chat") };

const handler = createOpsHandler({
  chat,
  desk: {
    api: {
      fetch: async (request) =>
        new URL(request.url).pathname.startsWith("/desk/api/") ? new Response("api") : undefined,
    },
    pages: createDeskPages(),
    widget: async (_, path) => (/^(nitka\.js|tokens\.css)$/.test(path) ? new Response(path) : undefined),
  },
  log: silent,
});

const get = (path: string, handle = handler) => handle(new Request(`http://localhost${path}`), {});

describe("the desk's pages", () => {
  it("are served on the operators' port, with the desk's API and the widget", async () => {
    expect(await (await get("/desk/api/runs")).text()).toBe("api");
    expect(await (await get("/widget/nitka.js")).text()).toBe("nitka.js");
    expect(await (await get("/metrics")).text()).toBe("chat");
    const page = await get("/desk/");
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const moved = await get("/desk");
    expect([moved.status, moved.headers.get("location")]).toEqual([308, "/desk/"]);
  });

  it("are the only files served, and none are served without a desk", async () => {
    const none = createOpsHandler({ chat, log: silent });
    for (const path of ["/", "/demo/", "/full-page.js", "/desk/desk.html", "/desk/tsconfig.json", "/desk/view.d.ts"]) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
    for (const path of ["/desk", "/desk/", "/desk/desk.js", "/desk/api/session", "/widget/nitka.js", "/favicon.svg"]) {
      expect([path, (await get(path, none)).status]).toEqual([path, 404]);
    }
    const posted = await handler(new Request("http://localhost/desk/", { method: "POST" }), {});
    expect(posted.status).toBe(405);
  });

  it("load nothing from other sites, cannot be framed, and contain nothing inline", async () => {
    const page = await get("/desk/");
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("img-src 'self' data: blob:;");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https:/);
    expect(await page.text()).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
  });

  it("reference only files that are served", async () => {
    const html = await (await get("/desk/")).text();
    const reached = new Set([...html.matchAll(/(?:src|href)="(\/[^"#]*)"/g)].map(([, address = ""]) => address));
    for (const path of reached) {
      const response = await get(path);
      expect([path, response.status]).toEqual([path, 200]);
      const text = await response.text();
      const named = [...text.matchAll(/ from "(\.[^"]+)"|href: "(\/desk\/[^"]+)"/g)];
      for (const [, module, file] of named)
        reached.add(new URL(module ?? file ?? "", `http://localhost${path}`).pathname);
    }
    expect([...reached]).toContain("/desk/styles/reading.css");
    expect(reached.size).toBeGreaterThan(10);
  });

  it("use only tokens that the widget defines", async () => {
    const tokens = readFileSync(new URL("../../../packages/widget/src/styles/tokens.css", import.meta.url), "utf8");
    const page = await (await get("/desk/")).text();
    const sheets = [...page.matchAll(/href="(\/desk\/styles\/[\w-]+\.css)"/g)].map(async ([, path = ""]) =>
      (await get(path)).text(),
    );
    const css = (await Promise.all(sheets)).join("\n");
    const used = new Set([...css.matchAll(/var\((--[\w-]+)/g)].map(([, name = ""]) => name));
    expect(used.size).toBeGreaterThan(10);
    expect([...used].filter((name) => !tokens.includes(`\n  ${name}:`))).toEqual([]);
  });
});
