import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readSecret } from "./read-secret.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "nitka-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe("readSecret", () => {
  it("generates a secret once, readable only by its owner, and stores it", () => {
    const data = join(folder, "a", "data");
    const secret = readSecret(undefined, data);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(readSecret(undefined, data)).toBe(secret);
    expect([data, join(data, "secret")].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
    expect(readdirSync(data)).toEqual(["secret"]);
  });

  it("returns the given secret and writes nothing", () => {
    expect(readSecret(["given by the operator"], folder)).toEqual(["given by the operator"]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("returns the secret that another start has stored", () => {
    writeFileSync(join(folder, "secret"), "made by another start\n");
    expect(readSecret(undefined, folder)).toBe("made by another start");
    expect(readFileSync(join(folder, "secret"), "utf8")).toBe("made by another start\n");
  });

  it.each(["", "short\n"])("rejects a stored secret that is too short, and names the file: %j", (content) => {
    writeFileSync(join(folder, "secret"), content);
    expect(() => readSecret(undefined, folder)).toThrow(
      /^The secret in NITKA_DATA \(.*secret\) has \d characters: expected at least 16/,
    );
  });

  it("says why the folder cannot be used", () => {
    writeFileSync(join(folder, "file"), "");
    expect(() => readSecret(undefined, join(folder, "file"))).toThrow(
      /^NITKA_DATA cannot be used \(.*file.*\): expected a writable folder/,
    );
    const nowhere = process.platform === "win32" ? String.raw`Q:\nitka\data` : "/proc/nitka/data";
    expect(() => readSecret(undefined, nowhere)).toThrow(/^NITKA_DATA cannot be used/);
  });
});
