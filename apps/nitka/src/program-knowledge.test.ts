import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { serveForTest } from "@nitka/server/test-kit";
import { describe, expect, it } from "vitest";
import { programOpener } from "./program.contract.ts";

const { start, run, dataFolder } = programOpener();

/** A site with a sitemap, whose page `/slow` never ends. */
async function startSite(paths: readonly string[]) {
  const asked: string[] = [];
  let cutOff = 0;
  const origin = await serveForTest(({ url = "" }, response) => {
    asked.push(url);
    response.on("close", () => (cutOff += response.writableEnded ? 0 : 1));
    const isMap = url === "/sitemap.xml";
    response.setHeader("content-type", isMap ? "text/xml" : "text/html");
    const entries = paths.map((path) => `<url><loc>${origin}${path}</loc></url>`);
    const page = `<h1>Returns</h1><p>The parcel of ${url} goes back.</p>`;
    if (url === "/slow") response.write(page);
    else response.end(isMap ? `<urlset>${entries.join("")}</urlset>` : url === "/robots.txt" ? "" : page);
  });
  return { sitemap: `${origin}/sitemap.xml`, asked: () => asked, cutOff: () => cutOff };
}

/** The settings with one project per site, each of which is read once an hour. */
function withSites(sites: Readonly<Record<string, { readonly sitemap: string }>>) {
  const projects = Object.fromEntries(
    Object.entries(sites).map(([id, { sitemap }]) => [id, { knowledge: { sources: [{ sitemap }], every: "1h" } }]),
  );
  const path = join(dataFolder(), "projects.json");
  writeFileSync(path, JSON.stringify({ projects }));
  return { NITKA_CONFIG: path };
}

describe("A project with `every`", () => {
  it("has its pages read while the program serves, unless they were read within that time", async () => {
    const [fresh, due] = [await startSite(["/a"]), await startSite(["/b", "/c"])];
    const env = withSites({ fresh, due });
    expect((await run(["ingest", "--project", "fresh"], env)).code).toBe(0);
    const before = fresh.asked().length;
    const program = await start(env);
    await expect.poll(program.stderr).toContain("the pages have been read");
    expect((await fetch(`${program.url}/readyz`)).status).toBe(200);
    const found = await run(["search", "parcel", "--project", "due", "--json"], env);
    expect(found.stdout).toContain("The parcel of /b goes back.");
    // Projects are read in turn, so this project's turn has passed.
    expect(fresh.asked()).toHaveLength(before);
    expect(await program.end("SIGTERM")).toBe(0);
  });

  it("has its reading ended by SIGTERM, and the next reading is not blocked", async () => {
    const site = await startSite(["/a", "/slow"]);
    const env = withSites({ shop: site });
    const program = await start(env);
    await expect.poll(site.asked).toContain("/slow");
    expect(site.cutOff()).toBe(0);
    expect(await program.end("SIGTERM")).toBe(0);
    await expect.poll(site.cutOff).toBe(1);
    // It did not continue until the page's time limit.
    const [state] = JSON.parse((await run(["knowledge", "--json"], env)).stdout) as [object];
    expect(state).not.toHaveProperty("lastReading");
    const other = await startSite(["/d"]);
    expect((await run(["ingest", "--project", "shop"], withSites({ shop: other }))).code).toBe(0);
    expect(other.asked()).toContain("/d");
  });
});
