import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "./run-command.mjs";
import { root } from "./workspace.mjs";

it("names its steps to who asks for one that there is not, and counts that as a failure", async () => {
  const { ok, output } = await runCommand(process.execPath, [join(root, "scripts", "test.mjs"), "unti"]);
  expect(ok).toBe(false);
  expect(output).toContain("There is no step «unti». The steps are:\n  build ");
  expect(output.trim().split("\n").at(-1)).toBe("0 passed, 1 failed");
});
