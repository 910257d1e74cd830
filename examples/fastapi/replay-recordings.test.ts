import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { findPython } from "../start-python.ts";

const run = promisify(execFile);
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

it("a reader in Python reads each recorded stream as it was recorded", { timeout: 600_000 }, async () => {
  const fixtures = path("../../packages/protocol/fixtures");
  const { stdout } = await run(await findPython(), ["-B", path("replay_recordings.py"), fixtures]);
  const count = readdirSync(fixtures).filter((name) => name.endsWith(".sse")).length;
  expect(stdout).toBe(`${count} recordings, 0 of them read otherwise\n`);
});
