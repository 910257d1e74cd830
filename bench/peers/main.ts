/**
 * `npm run bench:peers`: measures the built widget and other chats in one Chromium, on one server, with one answer. Writes the
 * figures into docs/benchmarks.md. `npm run bench:peers -- streamdown` measures the named ones alone and writes nothing.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { findBrowser } from "../../scripts/find-browser.mjs";
import { buildWidget } from "../front/build.ts";
import { buildPeers } from "./build-peers.ts";
import { measurePeer, warmUp } from "./measure-peer.ts";
import type { PeerFigures } from "./measure-peer.ts";
import { startPeerSite } from "./peer-site.ts";
import { ours, peers } from "./peers.ts";
import type { Peer } from "./peers.ts";
import { medianOf, printed, writeBenchmarks } from "./write-benchmarks.ts";

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
const named = process.argv.slice(2);
const chosen = peers.filter(({ folder = "" }) => named.length === 0 || named.includes(folder));
if (chosen.length === 0) {
  throw new Error(`Name some of these, or none for all: ${peers.map(({ folder }) => folder).join(", ")}.`);
}

const folder = await mkdtemp(join(tmpdir(), "nitka-peers-"));
await buildPeers(chosen, folder);
const site = await startPeerSite({ widget: buildWidget(), peers: folder });
const browser = await chromium.launch({
  executablePath: await findBrowser("whole"),
  // Some peers ask for fonts of other sites: only the benchmark's own server is there.
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
  const rounds = new Map<Peer, PeerFigures[]>([ours, ...chosen].map((peer) => [peer, []]));
  for (const peer of rounds.keys()) await warmUp(browser, site.origin, peer);
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const [peer, figures] of rounds) {
      const measured = await measurePeer(browser, site.origin, peer);
      figures.push(measured);
      console.log(`round ${round} of ${ROUNDS}, ${peer.name}: ${printed(measured)}`);
    }
  }
  const medians = new Map([...rounds].map(([peer, figures]) => [peer, medianOf(figures)]));
  console.table(Object.fromEntries([...medians].map(([peer, figures]) => [peer.name, figures])));
  if (named.length === 0) await writeBenchmarks(medians, { rounds: ROUNDS, browser: browser.version() });
} finally {
  await browser.close();
  await site.close();
  await rm(folder, { recursive: true });
}
