import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { expect, test as base } from "./fixtures.ts";
import { startProgram } from "./program.ts";

const KEY = "a key of sixteen letters";

/** A text that must not be rendered as markup. */
export const MARKUP = "<img src=x onerror=document.title='ran'>";

/** The operators' desk of a program that has answered a few questions. */
export class DeskPage {
  readonly page: Page;
  readonly url: string;
  readonly output: () => string;

  constructor(page: Page, url: string, output: () => string) {
    this.page = page;
    this.url = url;
    this.output = output;
  }

  get rows(): Locator {
    return this.page.locator("tbody").getByRole("row");
  }
  get answer(): Locator {
    return this.page.getByRole("article", { name: "Ассистент:" });
  }

  async enter(key = KEY): Promise<void> {
    await this.page.goto(this.url);
    await this.page.getByLabel("Ключ").fill(key);
    await this.page.getByRole("button", { name: "Войти" }).click();
  }

  async open(section: "Ответы" | "По дням" | "Отзывы" | "Знания" | "Запись"): Promise<void> {
    await this.page.getByRole("link", { name: section, exact: true }).click();
  }
}

interface DeskProgram {
  readonly address: string;
  readonly output: () => string;
}

/** The desk before signing in. */
export const test = base.extend<{ readonly desk: DeskPage }, { readonly deskProgram: DeskProgram }>({
  deskProgram: [
    async ({ browserName }, provide) => {
      // The parameter is named because a fixture has to destructure its arguments.
      void browserName;
      const folder = mkdtempSync(join(tmpdir(), "nitka-desk-"));
      const program = await startDesk(folder);
      await provide(program);
      await program.stop();
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: "worker" },
  ],
  desk: async ({ page, deskProgram }, provide) => {
    await provide(new DeskPage(page, deskProgram.address, deskProgram.output));
  },
});

/** A program with three answers: a weather report with a negative rating, one of another project, and a failed one. */
async function startDesk(folder: string) {
  const config = join(folder, "config.json");
  const prices = { demo: { input: 3, output: 15 } };
  writeFileSync(config, JSON.stringify({ projects: { default: { prices }, shop: { title: "Черепок" } } }));
  const program = await startProgram({
    NITKA_DATA: folder,
    NITKA_DEMO_SPEED: "1000",
    NITKA_CONFIG: config,
    NITKA_OPS_PORT: "0",
    NITKA_DESK_KEY: KEY,
  });
  await expect.poll(() => program.output()).toContain("Ctrl+C");
  const visitor = createVisitor(program.url);
  const rated = await visitor.ask("/", "Какая погода в Сан-Франциско?");
  await visitor.call(`/api/debug/threads/${rated.threadId}/rename`, { title: MARKUP });
  const feedback = `/api/debug/threads/${rated.threadId}/messages/${rated.answerId}/feedback`;
  await visitor.call(feedback, { rating: "down", reason: `Нет ветра ${MARKUP}` });
  await visitor.ask("/p/shop/", "Покажи пример кода");
  await visitor.ask("/", "Покажи ошибку");
  const address = /Desk +(\S+)/.exec(program.output())?.[1] ?? "";
  return { address, output: () => program.output(), stop: () => program.stop() };
}

/** A visitor's browser without a page. */
function createVisitor(url: string) {
  let cookie = "";
  async function call(path: string, body?: unknown): Promise<string> {
    const response = await fetch(new URL(path, url), {
      method: body === undefined ? "GET" : "POST",
      headers: { "content-type": "application/json", cookie },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    cookie ||= response.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
    return response.text();
  }
  return {
    call,
    async ask(base: string, content: string) {
      const threads = `${base}api/debug/threads`;
      const { threadId } = JSON.parse(await call(threads, {})) as { readonly threadId: string };
      const question = { id: `q-${threadId.slice(0, 8)}`, role: "user", content };
      await call(`${threads}/${threadId}/run/stream`, { messages: [question] });
      const messages = JSON.parse(await call(`${threads}/${threadId}/messages`)) as readonly { readonly id: string }[];
      return { threadId, answerId: messages.at(-1)?.id ?? "" };
    },
  };
}
