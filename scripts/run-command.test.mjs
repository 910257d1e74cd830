import { expect, it } from "vitest";
import { runCommand } from "./run-command.mjs";

const node = process.execPath;

it("keeps what a command printed, on either stream, and whether it succeeded", async () => {
  expect(await runCommand(node, ["-e", "console.log('a'); console.error('b')"])).toEqual({
    ok: true,
    output: "a\nb\n",
  });
  expect(await runCommand(node, ["-e", "process.exit(3)"])).toEqual({ ok: false, output: "" });
});

it("passes variables on", async () => {
  const { output } = await runCommand(node, ["-p", "process.env.NITKA_TRIED"], { env: { NITKA_TRIED: "yes" } });
  expect(output).toBe("yes\n");
});

it("fails, and says why, where the command is not there", async () => {
  const { ok, output } = await runCommand("no-such-command", []);
  expect(ok).toBe(false);
  expect(output).toContain("no-such-command");
});

it("ends what takes too long", async () => {
  const { ok, output } = await runCommand(node, ["-e", "setInterval(() => {}, 1000)"], { timeoutMs: 200 });
  expect(ok).toBe(false);
  expect(output).toContain("was ended by SIGKILL");
});
