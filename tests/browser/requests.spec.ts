import type { Page } from "@playwright/test";
import { gate } from "./backend.ts";
import { core, coreOnBoth, expect, test } from "./fixtures.ts";

/** The arguments of one `fetch` of the page. */
interface FetchRecord {
  readonly url: string;
  readonly method: string;
  readonly credentials: string;
  readonly cache: string;
  readonly contentType: string | null;
  readonly accept: string | null;
}

/** Records every `fetch` of a page with the options that are not visible on the network. */
async function recordFetches(page: Page): Promise<() => Promise<readonly FetchRecord[]>> {
  await page.addInitScript(() => {
    const fetched: FetchRecord[] = [];
    const { fetch } = globalThis;
    Object.defineProperty(globalThis, "fetched", { value: fetched, enumerable: false });
    globalThis.fetch = (input, init) => {
      const { url, method, credentials, cache, headers } = new Request(input, init);
      fetched.push({
        url,
        method,
        credentials,
        cache,
        contentType: headers.get("content-type"),
        accept: headers.get("accept"),
      });
      return fetch(input, init);
    };
  });
  return () => page.evaluate(() => Reflect.get(globalThis, "fetched") as FetchRecord[]);
}

test.describe("the config request", () => {
  test(
    "comes first: the widget renders nothing and sends no other request before the response",
    core,
    async ({ chat, page }) => {
      const held = gate();
      const paths: string[] = [];
      page.on("request", (request) => {
        const { pathname } = new URL(request.url());
        if (pathname.startsWith("/api/")) paths.push(pathname);
      });
      await page.route(/\/config$/, async (route) => {
        await held.opened;
        await route.fallback();
      });
      const asked = page.waitForRequest(/\/config$/);
      await chat.goto();
      await asked;
      await expect(chat.composer).toHaveCount(0);
      expect(paths).toEqual(["/api/projects/default/config"]);
      held.open();
      await chat.opened();
    },
  );

  test(
    "goes to api/projects/{projectId}/config below the proxy URL, which gets a trailing slash",
    core,
    async ({ chat, page, site }) => {
      await chat.stub("GET", /\/config$/, { json: {} });
      const asked = page.waitForRequest(/\/config$/);
      await chat.open("/", {
        options: `{ target: "#chat", projectId: "мой/проект", proxyUrl: "${site.origin}/chat/v1" }`,
      });
      expect((await asked).url()).toBe(
        `${site.origin}/chat/v1/api/projects/${encodeURIComponent("мой/проект")}/config`,
      );
    },
  );

  test("sends credentials", core, async ({ chat, page }) => {
    const fetches = await recordFetches(page);
    await chat.open();
    expect((await fetches()).filter(({ url }) => url.endsWith("/config"))).toMatchObject([
      { method: "GET", credentials: "include" },
    ]);
  });

  test("uses the projectId «default» and the script's origin by default", async ({ chat, page, site }) => {
    const asked = page.waitForRequest(/\/config$/);
    await chat.open("/", { options: `{ target: "#chat" }` });
    expect((await asked).url()).toBe(`${site.origin}/api/projects/default/config`);
  });

  test("returns JSON that becomes the server config", core, async ({ chat }) => {
    await chat.config({ title: "Справочная", greeting: { title: "День добрый!", subtitle: "Спросите меня." } });
    await chat.open();
    await expect(chat.root.getByText("Справочная", { exact: true })).toBeVisible();
    await expect(chat.root.getByText("День добрый!")).toBeVisible();
    await expect(chat.root.getByText("Спросите меня.")).toBeVisible();
  });

  test("causes one warning and an empty config when its status is not OK", core, async ({ chat, console }) => {
    console.allow(/Failed to load resource/);
    await chat.stub("GET", /\/config$/, { status: 503, body: "no" });
    await chat.open();
    expect(console.warnings.filter((text) => text.includes("config fetch failed"))).toEqual([
      expect.stringContaining("config fetch failed: 503"),
    ]);
    await expect(chat.root.getByText("Привет!")).toBeVisible();
  });

  test("tells the host's developer that its origin is not allowed, and where the documents say more", async ({
    chat,
    console,
    page,
    site,
  }) => {
    console.allow(/Failed to load resource|blocked by CORS policy|HTTP 0/);
    const toldWith = async (more: string) => {
      const told = page.waitForEvent("console", (line) => line.text().startsWith("Nitka:"));
      await chat.goto("/", { options: `{ target: "#chat", proxyUrl: "${site.otherOrigin}"${more} }` });
      return (await told).text();
    };
    expect(await toldWith("")).toContain(`add "${site.origin}" to the project's allowedOrigins`);
    expect(await toldWith(', projectId: "shpo"')).toContain('has no project "shpo": check projectId');
  });

  test("begins the chat anew if the config loads after all", async ({ chat, console }) => {
    console.allow(/Failed to load resource/);
    await chat.config({ greeting: { title: "День добрый!", subtitle: "Спросите меня." } });
    // The first request, and the one that asks for the reason.
    await chat.stub("GET", /\/config$/, { status: 503, body: "no" }, 2);
    await chat.open();
    expect(console.warnings).toHaveLength(1);
    await expect(chat.root.getByText("День добрый!")).toBeVisible({ timeout: 20_000 });
  });

  test("causes one warning when the network is down or the response is not JSON", async ({ chat, console, page }) => {
    console.allow(/Failed to load resource/);
    await chat.stub("GET", /\/config$/, "network error");
    await chat.open();
    expect(console.warnings).toHaveLength(1);
    await page.unrouteAll();
    await chat.stub("GET", /\/config$/, { body: "<!doctype html>" });
    await chat.open();
    expect(console.warnings).toHaveLength(2);
    await expect(chat.root.getByText("Привет!")).toBeVisible();
  });
});

test.describe("the other requests", () => {
  test("use the API base «/», the page's own origin, by default", core, async ({ chat, page, site }) => {
    await chat.config({ apiBase: undefined });
    const listed = page.waitForRequest(/\/api\/debug\/threads$/);
    await chat.open();
    expect((await listed).url()).toBe(`${site.origin}/api/debug/threads`);
  });

  test("strip trailing slashes of the API base", async ({ chat, page, site }) => {
    await chat.stub("GET", /\/api\/debug\/threads/, { json: [] });
    await chat.stub("POST", /\/api\/debug\/threads$/, { json: { threadId: "t1", title: "", updatedAt: new Date() } });
    await chat.stub("GET", /\/messages$/, { json: [] });
    const listed = page.waitForRequest(/\/api\/debug\/threads/);
    await chat.open("/", { options: `{ target: "#chat", apiBase: "/base///" }` });
    expect((await listed).url()).toBe(`${site.origin}/base/api/debug/threads`);
  });

  test(
    "use no-store caching, and have the JSON content type unless they are GETs",
    coreOnBoth,
    async ({ chat, page }) => {
      const fetches = await recordFetches(page);
      await chat.open();
      await chat.converse("Привет");
      const requests = (await fetches()).filter(({ url }) => url.includes("/api/debug/"));
      expect(requests.filter(({ method }) => method === "GET").length).toBeGreaterThan(0);
      expect(requests.filter(({ method }) => method === "POST").length).toBeGreaterThan(1);
      for (const { method, cache, contentType } of requests) {
        expect(cache).toBe("no-store");
        if (method === "GET") expect(contentType).toBeNull();
        else expect(contentType).toMatch(/^application\/json/);
      }
      expect(requests.find(({ url }) => url.includes("/run/stream"))?.accept).toContain("text/event-stream");
    },
  );

  test("have the paths and payloads of the specification", coreOnBoth, async ({ chat, page }) => {
    const sent: (readonly [string, unknown])[] = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (!pathname.startsWith("/api/debug/")) return;
      const operation = `${request.method()} ${pathname.replaceAll(chat.threadId() || "-", "{id}")}`;
      sent.push([operation, request.method() === "POST" ? request.postDataJSON() : undefined]);
    });
    await chat.open();
    await chat.converse("Привет");
    expect(sent[0]).toEqual(["GET /api/debug/threads", undefined]);
    expect(sent[1]).toEqual(["POST /api/debug/threads", {}]);
    const run = sent.find(([operation]) => operation === "POST /api/debug/threads/{id}/run/stream")?.[1];
    expect(run).toMatchObject({
      messages: [{ id: expect.stringMatching(/^.*[0-9a-z]{8}$/), role: "user" }],
    });
    const [question] = (run as { messages: { content: unknown }[] }).messages;
    expect([question?.content].flat()).toEqual([
      typeof question?.content === "string" ? "Привет" : { type: "text", text: "Привет" },
    ]);
  });

  test("load the four stylesheets from /widget/", core, async ({ chat, page, site }) => {
    const loaded: string[] = [];
    page.on("response", (response) => {
      if (response.url().endsWith(".css")) loaded.push(`${response.status()} ${response.url()}`);
    });
    await chat.open();
    await chat.converse("Привет");
    const sorted = () => loaded.toSorted();
    await expect
      .poll(sorted)
      .toEqual(
        ["base", "main", "markdown-dot", "markdown"].map((name) => `200 ${site.origin}/widget/${name}.css`).toSorted(),
      );
  });

  test("may load the script and stylesheets from another origin than the page's", async ({ chat, page, site }) => {
    const loaded: string[] = [];
    page.on("response", (response) => {
      if (response.url().includes("/widget/")) loaded.push(new URL(response.url()).origin);
    });
    await chat.goto("/", { script: "" });
    site.host.html = `<!doctype html><meta charset="utf-8"><div id="chat" style="height: 100vh"></div>
      <script src="${site.otherOrigin}/widget/nitka.js"></script>
      <script>window.chat = Nitka.init({ target: "#chat", proxyUrl: "/" })</script>`;
    loaded.length = 0;
    await page.goto(`${site.origin}/`);
    await expect(chat.composer).toBeVisible();
    expect(new Set(loaded)).toEqual(new Set([site.otherOrigin]));
    await chat.converse("Привет");
  });
});
