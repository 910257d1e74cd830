import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { findPython } from "../../scripts/find-python.mjs";

const run = promisify(execFile);
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const fixtures = path("../../packages/protocol/fixtures");
const replay = async (folder: string) => {
  const args = ["-B", path("replay_recordings.py"), folder];
  const cwd = path(".");
  return run(await findPython(), args, { cwd }).catch((error: unknown) => error as { stdout: string; code: number });
};

it("a reader in Python reads each recorded stream as it was recorded", { timeout: 600_000 }, async () => {
  const count = readdirSync(fixtures).filter((name) => name.endsWith(".sse")).length;
  expect(await replay(fixtures)).toMatchObject({ stdout: `${count} recordings, 0 of them read otherwise\n` });
});

it("the script names a recording that is read otherwise, by each field, and fails", async () => {
  const folder = mkdtempSync(join(tmpdir(), "nitka-recordings-"));
  try {
    cpSync(fixtures, folder, { recursive: true });
    for (const [name, change] of Object.entries({
      "numbered.json": { ids: [] },
      "titles-after-finish.json": { threadEvents: [] },
      "no-done.json": { done: true },
      "abort.json": { message: {} },
    })) {
      const recorded = JSON.parse(readFileSync(join(folder, name), "utf8")) as object;
      writeFileSync(join(folder, name), JSON.stringify({ ...recorded, ...change }));
    }
    const replayed = await replay(folder);
    expect(replayed).toMatchObject({ code: 1 });
    expect(replayed.stdout.match(/^(\w\S+:|  \w+$)/gm)).toEqual(
      "abort:,  message,no-done:,  done,numbered:,  ids,titles-after-finish:,  threadEvents".split(","),
    );
    expect(replayed.stdout).toMatch(/ 4 of them read otherwise\n$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
