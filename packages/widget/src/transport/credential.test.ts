// @vitest-environment node
import { describe, expect, it } from "vitest";
import { hostCredential } from "./credential.ts";

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
});
