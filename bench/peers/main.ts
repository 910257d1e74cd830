/**
 * `npm run bench:peers`: measures the built widget and other chats in one Chromium, on one server, with one answer, and then
 * our server beside a route on the AI SDK. Writes the figures into docs/benchmarks.md. `npm run bench:peers -- streamdown
 * server` measures only the named ones and writes nothing.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { findBrowser } from "../../scripts/find-browser.mjs";
import { buildWidget } from "../front/build.ts";
import { startSite } from "../front/site.ts";
import { namedParts } from "../report.ts";
import { buildPeers } from "./build-peers.ts";
import type { Run } from "./benchmarks-text.ts";
import { measurePeer, warmUp } from "./measure-peer.ts";
import { measureServers } from "./measure-servers.ts";
import { LONG_THREAD, peerAnswerOf } from "./peer-apis.ts";
import { PeerResults } from "./peer-results.ts";
import { ours, peers } from "./peers.ts";
import { roundedOf, writeBenchmarks } from "./write-benchmarks.ts";

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
/** For servers the minimum counts instead of the median, so fewer rounds are enough. */
const SERVER_ROUNDS = Math.min(ROUNDS, 2);

const parts = [...peers.map(({ folder = "" }) => folder), "server"];
const named = namedParts(parts);
const wanted = peers.filter(({ folder = "" }) => named.includes(folder));

const chats = wanted.length > 0 ? await measureChats() : undefined;
const servers = named.includes("server") ? await measureServers(SERVER_ROUNDS).catch(withoutServers) : undefined;
if (chats) console.table(roundedOf(chats.results));
if (servers) console.table(servers);
if (process.argv.length === 2 && chats) {
  await writeBenchmarks({ ...chats, servers, rounds: ROUNDS, serverRounds: SERVER_ROUNDS });
}

/** A failure of the servers does not lose the figures of the chats. */
function withoutServers(error: unknown): undefined {
  console.error(`The servers could not be measured: ${String(error)}`);
}

async function measureChats(): Promise<Pick<Run, "results" | "failed" | "browser">> {
  const folder = await mkdtemp(join(tmpdir(), "nitka-peers-"));
  const failed = await buildPeers(wanted, folder);
  const chosen = wanted.filter((peer) => !failed.has(peer));
  const folders = { widget: buildWidget(), pages: folder };
  const site = await startSite({ folders, threads: { long: LONG_THREAD }, others: peerAnswerOf });
  const browser = await chromium.launch({
    executablePath: await findBrowser("whole"),
    // Some peers request fonts from other sites, but only the benchmark's own server is reachable.
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--disable-background-networking",
      "--disable-sync",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    ],
  });
  try {
    const results = new Map([ours, ...chosen].map((peer) => [peer, new PeerResults()]));
    for (const peer of results.keys()) await warmUp(browser, site.origin, peer);
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const [peer, each] of results) {
        const begun = performance.now();
        await measurePeer(browser, site.origin, peer, each);
        console.log(`round ${round} of ${ROUNDS}, ${peer.name}: ${((performance.now() - begun) / 1000).toFixed(0)} s`);
      }
    }
    return { results, failed, browser: browser.version() };
  } finally {
    await browser.close();
    await site.close();
    await rm(folder, { recursive: true });
  }
}
