import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "./run-command.mjs";
import { steps } from "./test-steps.mjs";
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

it("the workflow for pull requests runs the steps of `npm test -- all`", () => {
  const workflow = readFileSync(join(root, ".github", "workflows", "check.yml"), "utf8");
  const jobs = /^ +steps:\n((?: +- .+\n)+)/m.exec(workflow)?.[1] ?? "";
  const all = steps.filter(({ only }) => only === undefined || only === "all").map(({ name }) => name);
  expect(jobs.match(/\w[\w-]*/g)?.toSorted()).toEqual(all.toSorted());
});
