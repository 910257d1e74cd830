/** Measures what opening a thread with large files costs the server. */
import { Place } from "./servers/place.ts";
import type { Memory, Watched } from "./servers/start-process.ts";

export interface FileFigures {
  /** The longest time in which the event loop was blocked. */
  readonly pauseMs: number;
  /** The peak of resident memory while the thread is opened, minus that of the idle server. */
  readonly memoryMb: number;
  readonly threadMb: number;
}

const FILES = 10;
const FILE_BYTES = 4_600_000;
const VISITORS = 10;

export async function measureFiles(): Promise<FileFigures> {
  await using place = new Place();
  const { server, url } = await place.chatServer();
  const load = place.process("file-load.ts");
  const bytes = await load.call<number>("seed", url, FILES, FILE_BYTES);
  const idle = await server.call<Memory>("memory");
  await server.call("watch");
  await load.call("open", url, VISITORS);
  const { longestPauseMs, peakKb } = await server.call<Watched>("watched");
  return { pauseMs: longestPauseMs, memoryMb: (peakKb - idle.rssKb) / 1000, threadMb: bytes / 1e6 };
}
