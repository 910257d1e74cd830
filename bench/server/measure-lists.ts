/** Measures whether a row of a list costs more in a large database. */
import { setTimeout as sleep } from "node:timers/promises";
import { percentile } from "../report.ts";
import type { Seeded } from "./conversations.ts";
import { Place } from "./servers/place.ts";

export interface ListFigures {
  /** Microseconds for each row of a response, over HTTP. */
  readonly smallUs: number;
  readonly largeUs: number;
}

export interface WaitFigures {
  /** Milliseconds from a request to the end of its response. */
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
}

const SMALL = 50;

/** The response times of a list while streams are open, each with 20 events a second. */
const REQUESTS = 300;
const PAUSE_MS = 25;
const EVERY_MS = 50;
const OPENING_MS = 4000;

/** Requests a short list repeatedly while `count` streams of other visitors are open. */
export async function measureListBesideStreams(streams: number): Promise<WaitFigures> {
  await using place = new Place();
  const { server, url } = await place.chatServer();
  const load = place.process("load.ts");
  const { cookie } = await server.call<Seeded>("seedThreads", SMALL);
  const page = `${url}api/debug/threads?limit=${SMALL}`;
  const times = async (count: number) => {
    const all: number[] = [];
    for (let n = 0; n < count; n += 1) {
      await sleep(PAUSE_MS);
      const start = performance.now();
      await (await fetch(page, { headers: { cookie } })).text();
      all.push(performance.now() - start);
    }
    return all;
  };
  await times(SMALL);
  const deltas = (OPENING_MS + REQUESTS * 2 * PAUSE_MS + 20_000) / EVERY_MS;
  await load.call("openChat", url, streams, { deltas, everyMs: EVERY_MS }, OPENING_MS);
  const all = await times(REQUESTS);
  return { p50: percentile(all, 0.5), p99: percentile(all, 0.99), worst: percentile(all, 1) };
}

/** A page of a visitor with few threads; the first of one with many, and one from the middle. */
export async function measureThreadList(threads: number): Promise<{ first: ListFigures; middle: ListFigures }> {
  await using place = new Place();
  const { server, url } = await place.chatServer();
  const few = await server.call<Seeded>("seedThreads", SMALL);
  const many = await server.call<Seeded>("seedThreads", threads);
  const page = `${url}api/debug/threads?limit=${SMALL}`;
  await timePerRow(page, few.cookie);
  const smallUs = await timePerRow(page, few.cookie);
  return {
    first: { smallUs, largeUs: await timePerRow(page, many.cookie) },
    middle: { smallUs, largeUs: await timePerRow(`${page}&before=${many.threadId}`, many.cookie) },
  };
}

/** The messages of a short thread and of a long one. */
export async function measureMessageList(messages: number): Promise<ListFigures> {
  await using place = new Place();
  const { server, url } = await place.chatServer();
  const short = await server.call<Seeded>("seedMessages", SMALL);
  const long = await server.call<Seeded>("seedMessages", messages);
  const path = ({ threadId }: Seeded) => `${url}api/debug/threads/${threadId}/messages`;
  await timePerRow(path(short), short.cookie);
  return {
    smallUs: await timePerRow(path(short), short.cookie),
    largeUs: await timePerRow(path(long), long.cookie),
  };
}

/** The minimum of many response times, because other programs on the machine only ever add to one. */
async function timePerRow(url: string, cookie: string): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 60; round += 1) {
    const start = performance.now();
    const response = await fetch(url, { headers: { cookie } });
    const body = (await response.json()) as readonly unknown[];
    if (!response.ok || body.length === 0)
      throw new Error(`${url} answered ${response.status} with ${body.length} rows`);
    least = Math.min(least, ((performance.now() - start) * 1000) / body.length);
  }
  return least;
}
