/** The server beside a raw server and a minimal route on the AI SDK: the same answers, read by the same clients. */
import { leastOf } from "../report.ts";
import { measureStreams } from "../server/measure-streams.ts";
import type { StreamFigures } from "../server/measure-streams.ts";
import { installPackages } from "./build-peers.ts";

export const STREAMS = 100;

export interface ServerFigures {
  readonly raw: StreamFigures;
  readonly aiSdkRoute: StreamFigures;
  readonly ours: StreamFigures;
}

export async function measureServers(rounds: number): Promise<ServerFigures> {
  await installPackages();
  return await leastOf(rounds, {
    raw: () => measureStreams("raw", STREAMS),
    aiSdkRoute: () => measureStreams("aiSdkRoute", STREAMS),
    ours: () => measureStreams("upstream", STREAMS),
  });
}
