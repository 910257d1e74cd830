// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { withSilenceTimeout } from "./read-run.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("a stream with a silence timeout", () => {
  it("passes all bytes on, however slowly they come", async () => {
    const source = new TransformStream<Uint8Array, Uint8Array>();
    const writer = source.writable.getWriter();
    const read = new Response(withSilenceTimeout(source.readable, 1000)).text();
    for (const piece of ["а", "б", "в"]) {
      await vi.advanceTimersByTimeAsync(900);
      await writer.write(new TextEncoder().encode(piece));
    }
    await writer.close();
    expect(await read).toBe("абв");
  });

  it("fails when it has been silent for too long, and cancels its source", async () => {
    let reason: unknown;
    const source = new ReadableStream<Uint8Array>({ cancel: (why) => void (reason = why) });
    const read = withSilenceTimeout(source, 1000).getReader().read();
    const failed = read.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await failed).toEqual(new Error("Nothing was heard for 1000 ms."));
    expect(reason).toBeInstanceOf(Error);
  });
});
