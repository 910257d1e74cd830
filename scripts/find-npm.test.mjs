import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findNpm } from "./find-npm.mjs";
import { runCommand } from "./run-command.mjs";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "nitka-")));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** @param {...string} path */
function write(...path) {
  const file = join(folder, ...path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "");
  return file;
}

const npm = ["node_modules", "npm", "bin", "npm-cli.js"];

it("takes the npm that runs the script, and no other package manager", () => {
  const running = write("running", "npm-cli.js");
  const beside = write("node", ...npm);
  const node = join(folder, "node", "node");
  expect(findNpm({ npm_execpath: running }, node)).toBe(running);
  expect(findNpm({ npm_execpath: write("pnpm.cjs") }, node)).toBe(beside);
});

it("finds npm beside Node, as on Windows, and below lib, as elsewhere", () => {
  const windows = write("windows", ...npm);
  expect(findNpm({}, join(folder, "windows", "node.exe"))).toBe(windows);
  const unix = write("unix", "lib", ...npm);
  expect(findNpm({}, join(folder, "unix", "bin", "node"))).toBe(unix);
});

it("finds npm on the PATH, however its name is spelled, past a batch file or shell script", () => {
  write("first", "npm");
  const found = write("second", ...npm);
  const path = [join(folder, "first"), join(folder, "second")].join(delimiter);
  expect(findNpm({ Path: path }, join(folder, "node"))).toBe(found);
});

it("says what to do where there is no npm", () => {
  expect(() => findNpm({ PATH: folder }, join(folder, "node"))).toThrow(/^npm was not found .* Install Node with npm/);
});

it("finds the npm of this machine, which runs", async () => {
  const { PATH } = process.env;
  const { ok, output } = await runCommand(process.execPath, [findNpm({ PATH }), "--version"]);
  expect({ ok, output }).toEqual({ ok: true, output: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
});
