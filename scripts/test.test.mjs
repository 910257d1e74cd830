import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "./run-command.mjs";
import { root } from "./workspace.mjs";

it.each([["unti"], ["all", "unti"]])(
  "names its steps to who asks for one that there is not: %s %s",
  async (...names) => {
    const { ok, output } = await runCommand(process.execPath, [join(root, "scripts", "test.mjs"), ...names]);
    expect(ok).toBe(false);
    expect(output).toContain("There is no step «unti». The steps are:\n  build ");
    expect(output.trim().split("\n").at(-1)).toBe("0 passed, 1 failed");
  },
);
