import { expect, it, onTestFinished, vi } from "vitest";
import { pacedBody } from "./paced-body.ts";

const SLOW_MS = 1_000;

/** A body whose sender sends this many bytes each `everyMs`, on a clock that the test advances. */
function bodyOf(pieces: readonly number[], everyMs: number): ReadableStream<Uint8Array> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const left = [...pieces];
  return new ReadableStream(
    {
      async pull(stream) {
        const size = left.shift();
        if (size === undefined) return stream.close();
        await new Promise((resolve) => setTimeout(resolve, everyMs));
        stream.enqueue(new Uint8Array(size));
      },
    },
    { highWaterMark: 0 },
  );
}

async function sizeOf(body: ReadableStream<Uint8Array>): Promise<number> {
  const { read } = pacedBody(body, SLOW_MS);
  let size = 0;
  for (let piece = await read(); piece; piece = await read()) size += piece.length;
  return size;
}

async function whileTimePasses<T>(result: Promise<T>): Promise<T> {
  result.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(60_000);
  return result;
}

it("a body that brings 64 KB per interval is read to its end, however long it takes", async () => {
  const pieces = Array.from({ length: 20 }, () => 70_000);
  expect(await whileTimePasses(sizeOf(bodyOf(pieces, SLOW_MS - 1)))).toBe(20 * 70_000);
});

it("a slower body is abandoned, however many pieces it comes in", async () => {
  const pieces = Array.from({ length: 20 }, () => 6_000);
  await expect(whileTimePasses(sizeOf(bodyOf(pieces, SLOW_MS / 10)))).rejects.toThrow("too slowly");
});

it("the time that the server takes to read does not count against the sender", async () => {
  const { read } = pacedBody(bodyOf([6_000, 6_000, 6_000], SLOW_MS / 10), SLOW_MS);
  for (let n = 0; n < 3; n += 1) {
    expect((await whileTimePasses(read()))?.length).toBe(6_000);
    await vi.advanceTimersByTimeAsync(2 * SLOW_MS);
  }
});
