import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fixedCredential } from "./credential.ts";
import { readAttachment, upload } from "./upload.ts";

/** A request that never gets a response. The test reports its progress. */
class StalledRequest extends EventTarget {
  static last: StalledRequest | undefined;
  readonly upload = new EventTarget();
  open(): void {
    StalledRequest.last = this;
  }
  send(): void {
    // No response arrives.
  }
  abort(): void {
    this.dispatchEvent(new Event("abort"));
    this.dispatchEvent(new Event("loadend"));
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("XMLHttpRequest", StalledRequest);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("an upload fails when nothing moves for 30 s, and not before", async () => {
  const { signal } = new AbortController();
  const api = {
    base: "https://chat.example",
    credentials: "include",
    credential: fixedCredential(undefined),
    signal,
    fetch,
  } as const;
  let outcome: unknown;
  const options = { signal, onProgress: () => undefined };
  upload(api, "files", new File(["a"], "a.txt"), options).catch((error: unknown) => (outcome = error));
  await vi.advanceTimersByTimeAsync(29_000);
  StalledRequest.last?.upload.dispatchEvent(new Event("progress"));
  await vi.advanceTimersByTimeAsync(29_999);
  expect(outcome).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(outcome).toMatchObject({ status: 0 });
});

it("gives an attachment the type that its MIME type makes", () => {
  expect(readAttachment({ id: "1", url: "a/1", contentType: "application/pdf", type: "?" })).toEqual({
    id: "1",
    type: "document",
    name: "1",
    contentType: "application/pdf",
    size: 0,
    url: "a/1",
  });
  expect(() => readAttachment({ id: "1" })).toThrow("The answer is not an attachment: it has no id or no url.");
});
