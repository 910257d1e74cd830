/** A newcomer's machine: an empty folder, Node and npm, a browser. No program of the repository is on the path. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { chromium } from "@playwright/test";
import type { Browser, Page } from "@playwright/test";
import { findBrowser } from "../../scripts/find-browser.mjs";
import { findNpm } from "../../scripts/find-npm.mjs";
import { startProgram } from "../server/servers/nitka-process.ts";
import type { StartedProgram } from "../server/servers/nitka-process.ts";

type Settings = Readonly<Record<string, string | undefined>>;

export class Newcomer {
  readonly folder = mkdtempSync(join(tmpdir(), "nitka-bench-"));
  readonly npm = findNpm();
  readonly #node: string;
  readonly #browser: Browser;
  readonly #started: StartedProgram[] = [];

  private constructor(node: string, browser: Browser) {
    this.#node = node;
    this.#browser = browser;
  }

  /** @param node the path of the Node that the newcomer has, or `node` for the one on the path */
  static async arrive(node: string): Promise<Newcomer> {
    const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"];
    return new Newcomer(node, await chromium.launch({ executablePath: await findBrowser(), args }));
  }

  /** The environment without the variables of npm and this repository. npm's cache is the newcomer's own. */
  env(settings: Settings = {}): Settings {
    const { PATH = "", ...others } = process.env;
    const kept = Object.entries(others).filter(
      ([name]) => !/^(npm_(?!config_registry)|NITKA_|NODE_(?!EXTRA_CA_CERTS))/.test(name),
    );
    const foreign = PATH.split(delimiter).filter((each) => !each.includes("node_modules"));
    return {
      ...Object.fromEntries(kept),
      PATH: [...(isAbsolute(this.#node) ? [dirname(this.#node)] : []), ...foreign].join(delimiter),
      npm_config_cache: join(this.folder, "npm-cache"),
      npm_config_update_notifier: "false",
      ...settings,
    };
  }

  forgetCache(): void {
    rmSync(join(this.folder, "npm-cache"), { recursive: true, force: true });
  }

  makeFolder(name: string): string {
    const folder = join(this.folder, name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  /** Runs a command to its end and returns its output. `node` is the newcomer's own. */
  async run(cwd: string, command: readonly string[], settings: Settings = {}): Promise<string> {
    const [program = "", ...args] = command;
    const child = spawn(program === "node" ? this.#node : program, args, { cwd, env: this.env(settings) });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    const [code] = (await once(child, "close")) as [number | null];
    if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}:\n${output}`);
    return output;
  }

  /** Starts a program with the newcomer's Node. Resolves when it prints its address. */
  async start(cwd: string, args: readonly string[], settings: Settings = {}): Promise<StartedProgram> {
    // It runs in a separate process group, because Ctrl+C in a terminal reaches npm and the programs that npm has started.
    const env = this.env(settings);
    const program = await startProgram(this.#node, args, {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    this.#started.push(program);
    return program;
  }

  /** Opens a page in a new window, and waits until the visitor can type. */
  async open(url: string): Promise<Page> {
    const page = await (await this.#browser.newContext({ locale: "ru-RU" })).newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(url);
    await untilOpen(page);
    return page;
  }

  async leave(): Promise<void> {
    await this.#browser.close();
    for (const program of this.#started) await program.end("SIGINT");
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Opens the chat of a page if it is a launcher, and waits until the visitor can type. */
export async function untilOpen(page: Page): Promise<void> {
  const launcher = page.locator("nitka-chat").getByRole("button", { name: "Открыть чат" });
  const composer = composerOf(page);
  await composer.or(launcher).first().waitFor();
  if (await launcher.isVisible()) await launcher.click();
  await composer.waitFor();
}

/** Asks, and waits for the first words of the answer. */
export async function askUntilFirstWords(page: Page, question: string): Promise<void> {
  const answers = answersOf(page);
  const before = await answers.count();
  await composerOf(page).fill(question);
  await composerOf(page).press("Enter");
  await answers.nth(before).locator("p").first().waitFor();
}

/** Waits until the last answer is complete, and returns its text. A settled answer has a copy button. */
export async function untilAnswered(page: Page): Promise<string> {
  const answer = answersOf(page).last();
  await answer.getByRole("button", { name: "Копировать" }).first().waitFor({ state: "attached" });
  return answer.innerText();
}

function answersOf(page: Page) {
  return page.locator("nitka-chat").getByRole("article", { name: "Ассистент:" });
}

function composerOf(page: Page) {
  return page.locator("nitka-chat").getByPlaceholder("Напишите что-нибудь...");
}
