/** The conversation in docs/protocol.md ("A conversation, with curl"), with the program and curl. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startProgram } from "../browser/program.ts";
import type { Program } from "../browser/program.ts";
import { codeIn } from "../docs-code.ts";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "nitka-transcript-"));
let program: Program;

beforeAll(async () => {
  program = await startProgram({ NITKA_DATA: folder, NITKA_DEMO_SPEED: "1000" });
});
afterAll(async () => {
  await program.stop();
  rmSync(folder, { recursive: true });
});

/** Ids of threads and answers, and times, which differ between runs. */
const varying = /"(?:threadId|messageId)":"(?:\w+)"|\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** A pattern for the documented output of a command: «…» stands for omitted text. */
function patternOf(printed: string): RegExp {
  const pieces = printed.split(/\s*…\s*/).map((piece) =>
    piece
      .split(varying)
      .map((text) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&"))
      .join("[^,}]+"),
  );
  return new RegExp(`^${pieces.join("[^]*")}$`);
}

it("curl prints what the documentation says, command by command", async () => {
  const [transcript = ""] = codeIn("protocol.md", "A conversation, with curl");
  const steps = transcript.split(/^\$ curl /m).slice(1);
  expect(steps).toHaveLength(5);
  let documented = "";
  let actual = "";
  for (const step of steps) {
    const [, command = "", printed = ""] = /^((?:.*\\\n)*.*\n)([^]*)$/.exec(step) ?? [];
    const args = (command.replaceAll("\\\n", " ").match(/'[^']*'|\S+/g) ?? []).map((word) =>
      word
        .replace(/^'(.*)'$/s, "$1")
        .replace("http://localhost:3000/", program.url)
        .replace(documented || "\0", actual),
    );
    const { stdout } = await run("curl", args, { cwd: folder });
    expect(stdout.trim()).toMatch(patternOf(printed.trim()));
    documented ||= /"threadId":"(\w+)"/.exec(printed)?.[1] ?? "";
    actual ||= /"threadId":"(\w+)"/.exec(stdout)?.[1] ?? "";
  }
});
