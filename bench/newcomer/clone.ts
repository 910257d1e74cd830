import { root } from "../../scripts/workspace.mjs";
import { askUntilFirstWords } from "./newcomer.ts";
import type { Newcomer } from "./newcomer.ts";
import type { TimedSteps } from "./timed-steps.ts";

/** README.md: clone the repository, `npm start`, open the address, ask. */
export async function fromClone(newcomer: Newcomer, steps: TimedSteps): Promise<void> {
  newcomer.forgetCache();
  await chat("with an empty cache of npm", "first");
  await chat("with npm's cache", "second");

  async function chat(how: string, name: string): Promise<void> {
    const folder = newcomer.makeFolder(`clone-${name}`);
    await steps.step("`git clone`", () => newcomer.run(folder, ["git", "clone", "--quiet", root, "."]));
    const program = await steps.step(`\`npm start\`, ${how}, until it prints the address`, () =>
      newcomer.start(folder, [newcomer.npm, "start"], { PORT: "0" }),
    );
    const page = await steps.step("the page, until one can type", () => newcomer.open(program.url));
    await steps.step("the question, until the answer's first words", () => askUntilFirstWords(page, "Привет!"));
    await page.context().close();
    await program.end("SIGINT");
    const again = await steps.step("`npm start` again", () =>
      newcomer.start(folder, [newcomer.npm, "start"], { PORT: "0" }),
    );
    await again.end("SIGINT");
  }
}
