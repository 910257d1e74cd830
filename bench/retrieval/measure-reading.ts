/** The speed of reading pages from a site on this machine, and its effect on answers that stream meanwhile. */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { listenLocally } from "../../scripts/listen-locally.mjs";
import type { Seen } from "../server/load.ts";
import { runNitka } from "../server/servers/nitka-process.ts";
import { Place } from "../server/servers/place.ts";
import { openStreams } from "./databases.ts";

export interface ReadingFigures {
  /** Pages per second. */
  readonly first: number;
  readonly second: number;
  /**
   * The milliseconds from the due time of an event until it was read, 99th percentile: without a reading, and during the first
   * one.
   */
  readonly quietP99: number;
  readonly readingP99: number;
}

/** @param documents HTML of pages by their names; each is served under several addresses */
export async function measureReading(documents: ReadonlyMap<string, string>): Promise<ReadingFigures> {
  await using place = new Place();
  const pages = new Map([...documents].flatMap(([name, html]) => [1, 2, 3].map((copy) => [`/${copy}/${name}`, html])));
  const site = createServer((request, response) => {
    const path = request.url ?? "";
    const html = (path === "/sitemap.xml" ? sitemap : pages.get(path)) ?? "";
    const etag = `"${createHash("sha256").update(html).digest("base64url")}"`;
    const isKnown = request.headers["if-none-match"] === etag;
    response.writeHead(html === "" ? 404 : isKnown ? 304 : 200, {
      etag,
      "content-type": path.endsWith("xml") ? "text/xml" : "text/html",
    });
    response.end(isKnown ? "" : html);
  });
  const origin = `http://127.0.0.1:${await listenLocally(site)}`;
  const sitemap = `<urlset>${[...pages.keys()].map((path) => `<url><loc>${origin}${path}</loc></url>`).join("")}</urlset>`;
  place.defer(() => site.close());
  const folder = place.folder();
  const config = join(folder, "projects.json");
  const knowledge = { sources: [{ sitemap: `${origin}/sitemap.xml` }] };
  writeFileSync(config, JSON.stringify({ projects: { default: { knowledge } } }));
  const settings = { NITKA_CONFIG: config, NITKA_DATA: folder };
  const read = async (): Promise<number> => {
    await runNitka(["ingest"], settings);
    const [state] = JSON.parse(await runNitka(["knowledge", "--json"], settings).then(jsonIn)) as [LastRead];
    const { startedAt, endedAt } = state.lastReading;
    return pages.size / ((Date.parse(endedAt) - Date.parse(startedAt)) / 1000);
  };
  const first = await read();
  const second = await read();

  const { server } = await place.chatServer();
  const load = await openStreams(place, server, 120_000);
  await sleep(10_000);
  const quiet = await load.call<Seen>("seen");
  // The program runs its readings with this priority.
  setPriority(constants.priority.PRIORITY_LOW);
  await runNitka(["ingest", "--full"], settings);
  const busy = await load.call<Seen>("seen");
  return { first, second, quietP99: quiet.p99, readingP99: busy.p99 };
}

interface LastRead {
  readonly lastReading: { readonly startedAt: string; readonly endedAt: string };
}

/** The JSON of a command's output, which begins with the text that the command writes to standard error. */
function jsonIn(output: string): string {
  return output.slice(output.indexOf("\n["));
}
