import { describe, expect, it } from "vitest";
import { cutsOf, playedUpstream } from "./played-upstream.contract.ts";
import { playRecording } from "./played-recording.contract.ts";
import type { Chunking } from "./played-recording.contract.ts";
import { recordedServers } from "./recordings.contract.ts";
import type { Outcome } from "./recordings.contract.ts";

const upstream = playedUpstream();

/** Every server is recorded with these kinds. */
const kinds = ["answer", "tool call", "two tool calls", "reasoning", "cut off", "error before", "error within"];

const ofAnyLength = (body: string) => cutsOf(Buffer.byteLength(body), "any length");

const chunkings: Readonly<Record<string, Chunking>> = {
  whole: {},
  "any length": { cutsIn: ofAnyLength },
  // A change plays two of them. CI plays all.
  ...(process.env["NITKA_THOROUGH"] === undefined ? {} : slowerChunkings()),
};

function slowerChunkings(): Readonly<Record<string, Chunking>> {
  return {
    "single bytes": { cutsIn: (body) => cutsOf(Buffer.byteLength(body), "single bytes") },
    "cuts in characters and in names of fields": { cutsIn: cutsInside },
    "any length, compressed with gzip": { cutsIn: ofAnyLength, encoding: "gzip" },
  };
}

describe.each(recordedServers())("$name", (server) => {
  it("is recorded with each kind of response", () => {
    expect(kinds.filter((kind) => !server.recordings.some(({ name }) => name === kind))).toEqual([]);
  });

  it.each(Object.entries(chunkings))("gives the noted outcome, in pieces: %s", async (_, chunking) => {
    const played: [string, Outcome][] = [];
    for (const recording of server.recordings)
      played.push([recording.name, await playRecording(upstream, server, recording, chunking)]);
    expect(Object.fromEntries(played)).toEqual(
      Object.fromEntries(server.recordings.map(({ name, expected }) => [name, expected])),
    );
  });
});

/** The positions within a multi-byte character, and within `data:`. */
function cutsInside(body: string): readonly number[] {
  const bytes = Buffer.from(body);
  return [...bytes.keys()].filter((at) => {
    const isWithinCharacter = ((bytes[at] ?? 0) & 0xc0) === 0x80;
    return isWithinCharacter || bytes.subarray(at - 2, at + 3).toString() === "data:";
  });
}
