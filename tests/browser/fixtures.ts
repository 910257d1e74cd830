import { test as base } from "@playwright/test";
import type { BackendKind } from "./backend.ts";
import { ChatPage } from "./chat-page.ts";
import { watchConsole } from "./console-watch.ts";
import type { ConsoleWatch } from "./console-watch.ts";
import { createPlainBackend } from "./plain-backend.ts";
import { startProgram } from "./program.ts";
import type { Program } from "./program.ts";
import { createServerBackend } from "./server-backend.ts";
import { startSite } from "./site.ts";
import type { Site } from "./site.ts";

export { expect } from "@playwright/test";

interface Fixtures {
  readonly backend: BackendKind;
  readonly site: Site;
  /** Starts the program with these variables of the environment. It stops at the end of the test. */
  readonly startProgram: (env: Readonly<Record<string, string>>) => Promise<Program>;
  /** The page's console. An error that the test does not allow fails the test. */
  readonly console: ConsoleWatch;
  readonly chat: ChatPage;
}

/** Each test gets a site with its own backend, and a page that is not open yet. */
export const test = base.extend<Fixtures>({
  backend: ["server", { option: true }],
  site: async ({ backend }, provide) => {
    const site = await startSite(backend === "server" ? createServerBackend : createPlainBackend);
    await provide(site);
    await site.close();
  },
  startProgram: async ({ browserName }, provide) => {
    // The parameter is named because a fixture has to destructure its arguments.
    void browserName;
    const started: Program[] = [];
    await provide(async (env) => {
      const program = await startProgram(env);
      started.push(program);
      return program;
    });
    for (const program of started) await program.stop();
  },
  console: [
    async ({ page, site, startProgram: start }, provide) => {
      // The fixtures are named so that the check runs before the servers close: a page that is still open sends them requests,
      // which fail.
      void [site, start];
      const watch = watchConsole(page);
      await provide(watch);
      watch.check();
    },
    { auto: true },
  ],
  chat: async ({ page, site }, provide) => {
    await provide(new ChatPage(page, site));
  },
});

/**
 * The options of tests whose subject moves: animations, smooth scrolling, a title that is typed. Other tests run under reduced
 * motion, because each frame of an animation takes processor time.
 */
export const motion = { contextOptions: { reducedMotion: "no-preference" } } as const;

/**
 * The tag of a test that `npm test` runs: the first test of a sentence of the specification, or a feature that must never
 * break.
 */
export const core = { tag: "@core" };

/** `core` for one of a test's cases, such as one of several layouts. The other cases run in `npm test -- all`. */
export const coreIf = (isFirst: boolean) => (isFirst ? core : {});
/** The tag of a test that applies only to the plain backend. */
export const plain = { tag: "@plain" };
export const corePlain = { tag: ["@core", "@plain"] };
/** The tag of a test that runs against each backend, because the widget's requests or its answers depend on it. */
export const both = { tag: "@both" };
export const coreOnBoth = { tag: ["@core", "@both"] };
