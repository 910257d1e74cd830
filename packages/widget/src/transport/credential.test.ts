// @vitest-environment node
import { afterEach, describe, expect, it, vi } from "vitest";
import { CONFIG_TIMEOUT_MS } from "../timings.ts";
import { hostCredential } from "./credential.ts";

/** A host's function that returns these tokens, one per call. `undefined` is a token that never arrives. */
function hostFunction(...tokens: readonly (string | undefined)[]) {
  const source = vi.fn<() => Promise<string>>();
  for (const token of tokens)
    source.mockReturnValueOnce(token === undefined ? new Promise(() => undefined) : Promise.resolve(token));
  return source;
}

afterEach(() => void vi.useRealTimers());

describe("the credential of a host's visitor", () => {
  it("calls a function once, and once more for all requests whose token was refused", async () => {
    let count = 0;
    const source = () => {
      count += 1;
      return Promise.resolve(`t${count}`);
    };
    const credential = hostCredential(() => source);
    expect(await Promise.all([credential.token(), credential.token()])).toEqual(["t1", "t1"]);
    expect(await Promise.all([credential.token("t1"), credential.token("t1")])).toEqual(["t2", "t2"]);
    expect(await credential.token("t1")).toBe("t2");
    expect(count).toBe(2);
  });

  it("has the token that the host has set last", async () => {
    let token = "a";
    const credential = hostCredential(() => token);
    token = "b";
    expect(await credential.token("a")).toBe("b");
    expect(await credential.token("b")).toBe("b");
  });

  it("calls the function again after a failure", async () => {
    const answers = [Promise.reject(new Error("no connection")), Promise.resolve("t")];
    const source = () => answers.shift() ?? "none";
    const credential = hostCredential(() => source);
    await expect(credential.token()).rejects.toThrow("no connection");
    expect(await credential.token()).toBe("t");
  });

  it("fails all requests that wait for a missing token, and asks for a token again for the next request", async () => {
    vi.useFakeTimers();
    const source = hostFunction(undefined, "t");
    const credential = hostCredential(() => source);
    const waiting = Promise.allSettled([credential.token(), credential.token()]);
    await vi.advanceTimersByTimeAsync(CONFIG_TIMEOUT_MS);
    const late = { status: "rejected", reason: new Error("visitorToken() hangs.") };
    expect(await Promise.race([waiting, Promise.resolve("nothing yet")])).toEqual([late, late]);
    expect(await Promise.all([credential.token(), credential.token()])).toEqual(["t", "t"]);
    expect([source.mock.calls.length, vi.getTimerCount()]).toEqual([2, 0]);
  });

  it("fails the requests whose refused token is not replaced in time, and not those with another token", async () => {
    vi.useFakeTimers();
    const source = hostFunction("old", undefined);
    let option: string | typeof source = source;
    const credential = hostCredential(() => option);
    await credential.token();
    const renewed = Promise.allSettled([credential.token("old")]);
    await vi.advanceTimersByTimeAsync(CONFIG_TIMEOUT_MS - 1);
    option = "new";
    expect(await credential.token()).toBe("new");
    await vi.advanceTimersByTimeAsync(1);
    expect(await Promise.race([renewed, Promise.resolve("nothing yet")])).toMatchObject([{ status: "rejected" }]);
  });

  it("leaves no timer once a token has come or has failed", async () => {
    vi.useFakeTimers();
    await hostCredential(() => hostFunction("t")).token();
    const failing = () => {
      throw new Error("signed out");
    };
    await expect(hostCredential(() => failing).token()).rejects.toThrow("signed out");
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});
