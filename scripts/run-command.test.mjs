import { expect, it } from "vitest";
import { runCommand } from "./run-command.mjs";

const node = process.execPath;

it("returns the output of both streams, and whether the command succeeded", async () => {
  expect(await runCommand(node, ["-e", "console.log('a'); console.error('b')"])).toEqual({
    ok: true,
    output: "a\nb\n",
  });
  expect(await runCommand(node, ["-e", "process.exit(3)"])).toEqual({ ok: false, output: "" });
});

it("passes environment variables", async () => {
  const { output } = await runCommand(node, ["-p", "process.env.NITKA_TRIED"], { env: { NITKA_TRIED: "yes" } });
  expect(output).toBe("yes\n");
});

it("fails with a reason when the command does not exist", async () => {
  const { ok, output } = await runCommand("no-such-command", []);
  expect(ok).toBe(false);
  expect(output).toContain("no-such-command");
});

it("kills a command that exceeds the timeout", async () => {
  const { ok, output } = await runCommand(node, ["-e", "setInterval(() => {}, 1000)"], { timeoutMs: 200 });
  expect(ok).toBe(false);
  expect(output).toContain("was ended by SIGKILL");
});
