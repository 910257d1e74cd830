import type { APIRequestContext, Locator, Page, Route } from "@playwright/test";
import { expect } from "@playwright/test";
import type { Message } from "@nitka/protocol";
import { randomId } from "@nitka/protocol/random-id";
import type { HostPageOptions } from "./host-page.ts";
import { hostPage } from "./host-page.ts";
import type { Answer, Gate, WireEvent } from "./backend.ts";
import { gate, textEvents } from "./backend.ts";
import type { Site } from "./site.ts";

/** A thread that exists before the page is opened. */
export interface SeedThread {
  readonly title?: string;
  /** The time of its last message. */
  readonly at?: Date;
  /** Questions and their answers. */
  readonly turns?: readonly (readonly [question: string, answer: string | Answer])[];
}

/** The widget as a visitor finds it, by the names of its controls. */
export class ChatPage {
  readonly page: Page;
  readonly site: Site;
  readonly root: Locator;

  constructor(page: Page, site: Site, root: Locator = page.locator("nitka-chat")) {
    this.page = page;
    this.site = site;
    this.root = root;
  }

  get composer(): Locator {
    return this.root.getByPlaceholder("Напишите что-нибудь...");
  }
  get sendButton(): Locator {
    return this.button("Отправить");
  }
  get stopButton(): Locator {
    return this.button("Остановить генерацию");
  }
  get newThreadButton(): Locator {
    return this.button("Новый чат");
  }
  get sidebarToggle(): Locator {
    return this.button("Боковая панель");
  }
  get sidebar(): Locator {
    return this.root.locator("aside.sidebar, dialog.sheet");
  }
  get threads(): Locator {
    return this.sidebar.locator("li:not(.removed-row)");
  }
  get header(): Locator {
    return this.root.getByRole("banner").or(this.root.locator(".chat-header"));
  }
  /** The active thread's title above the thread. */
  get title(): Locator {
    return this.root.locator(".thread-crumb");
  }
  get messages(): Locator {
    return this.root.getByRole("article");
  }
  get questions(): Locator {
    return this.root.getByRole("article", { name: "Вы:" });
  }
  get answers(): Locator {
    return this.root.getByRole("article", { name: "Ассистент:" });
  }
  /** The texts of the messages, without their controls. */
  get questionTexts(): Locator {
    return this.questions.locator(".bubble");
  }
  get answerTexts(): Locator {
    return this.answers.locator(".answer");
  }
  /** The selector of a failed answer's red box. */
  readonly failure = ".message-failure";
  /** Every message that something has failed. */
  get failures(): Locator {
    return this.root.locator('[class$="-failure"], .failure-note, .broken-message, .broken-shell');
  }
  /** The field that edits a sent question. */
  get editor(): Locator {
    return this.root.getByRole("textbox", { name: "Изменить сообщение" });
  }
  get preview(): Locator {
    return this.root.getByRole("dialog", { name: "Image Attachment Preview" });
  }
  get attachments(): Locator {
    return this.root.locator(this.attachmentTile);
  }
  readonly attachmentTile = ".attachment-tile";

  button(name: string, within: Locator = this.root): Locator {
    // These names are longer: «Удалить чат: Погода» names the object, and «Открыть чат. Есть непрочитанное сообщение» the
    // state.
    if (!/^(Удалить|Переименовать|Открыть) (чат|вложение)$/.test(name)) {
      return within.getByRole("button", { name, exact: true });
    }
    return within.getByRole("button", { name: new RegExp(`^${name}([.:] .*)?$`) });
  }

  /** A group of the list: «Сегодня» or «Ранее». */
  group(name: string): Locator {
    return this.sidebar.locator(".thread-group").filter({ has: this.page.getByRole("heading", { name }) });
  }

  /** A row of the list by its title. */
  row(title: string): Locator {
    return this.threads.filter({ has: this.page.getByText(title, { exact: true }) });
  }

  /** The link or button in a row that selects its thread. */
  rowLink(title: string): Locator {
    return this.row(title).locator(".thread-open");
  }

  tooltip(text: string): Locator {
    return this.root.getByRole("tooltip", { name: text }).or(this.root.getByRole("tooltip").getByText(text));
  }

  /** Opens a host page and waits until the visitor can write. */
  async open(path = "/", options: HostPageOptions = {}): Promise<void> {
    await this.goto(path, options);
    await this.opened();
  }

  /** Waits until the open thread is shown: its messages, or the greeting of an empty thread. */
  async opened(): Promise<void> {
    await expect(this.composer).toBeVisible();
    await expect(this.messages.or(this.root.locator(".empty-thread")).first()).toBeVisible();
  }

  /** Opens a host page. */
  async goto(path = "/", options: HostPageOptions = {}): Promise<void> {
    this.site.host.html = hostPage(options);
    await this.page.goto(this.site.origin + path);
  }

  /** Answers all further questions with exactly this stream. Only the plain backend supports it. */
  answersRaw(...lines: readonly (WireEvent | string)[]): void {
    this.site.script.rawAnswer = () => lines;
  }

  /** Opens a thread with this history, which replaces the backend's. */
  async openHistory(messages: readonly object[]): Promise<void> {
    await this.seed({ title: "Разговор" });
    await this.stub("GET", /\/messages$/, { json: messages });
    await this.open();
  }

  /** Stops the page's installed clock. From then on only `page.clock.runFor` fires timers. */
  async freezeClock(): Promise<void> {
    await this.page.clock.pauseAt(new Date((await this.page.evaluate(() => Date.now())) + 500));
  }

  /** Sends a question and waits until the thread shows it. */
  async ask(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.composer.press("Enter");
    await expect(this.questionTexts.last()).toContainText(text);
  }

  /** Sends a question and waits for the whole answer. */
  async converse(text: string): Promise<void> {
    const before = await this.answers.count();
    await this.ask(text);
    await expect(this.answers).toHaveCount(before + 1);
    await this.idle();
  }

  get retryButton(): Locator {
    return this.root.getByRole("button", { name: "Повторить", exact: true });
  }

  /** Leaves a thread that has messages for a new one. */
  async newThread(): Promise<void> {
    await this.newThreadButton.click();
    await expect(this.messages).toHaveCount(0);
  }

  /** Waits for the answer to a question that failed. If the backend does not support rejoining, presses «Повторить». */
  async recover(answer: RegExp): Promise<void> {
    await expect(this.retryButton.or(this.answerTexts.getByText(answer)).first()).toBeVisible();
    if (await this.retryButton.isVisible()) await this.retryButton.click();
    await expect(this.answerTexts).toHaveText([answer]);
  }

  /** Advances the stopped clock in steps of `ms` until the condition holds. */
  async tickUntil(ms: number, condition: () => Promise<boolean>): Promise<void> {
    await expect(async () => {
      await this.page.clock.runFor(ms);
      expect(await condition()).toBe(true);
    }).toPass({ intervals: [5] });
  }

  /** Waits until no answer is being written in the open thread. */
  async idle(): Promise<void> {
    await expect(this.stopButton).toBeHidden();
    await expect(this.sendButton).toBeVisible();
  }

  /** The id of the active thread, read from the address. */
  threadId(): string {
    return decodeURIComponent(/\/c\/([^/?#]+)/.exec(this.page.url())?.[1] ?? "");
  }

  /** The active thread's messages as the backend stores them. */
  async stored(): Promise<readonly Message[]> {
    const url = `${this.site.origin}/api/debug/threads/${encodeURIComponent(this.threadId())}/messages`;
    return (await this.page.context().request.get(url)).json() as Promise<readonly Message[]>;
  }

  /** Adds fields to the backend's config response, or overrides them. */
  async config(fields: Readonly<Record<string, unknown>>): Promise<void> {
    await this.page.route("**/api/projects/*/config", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), ...fields } });
    });
  }

  /** Answers requests of this method and path in place of the backend, at most `times` times. */
  async stub(
    method: string,
    path: RegExp,
    response: Parameters<Route["fulfill"]>[0] | "network error",
    times = Number.POSITIVE_INFINITY,
  ): Promise<void> {
    let left = times;
    await this.page.route(path, async (route) => {
      if (route.request().method() !== method || left === 0) return route.fallback();
      left -= 1;
      return response === "network error" ? route.abort() : route.fulfill(response);
    });
  }

  /** Holds the response with the thread list back until the gate is opened. */
  async holdThreadList(): Promise<Gate> {
    const held = gate();
    await this.page.route(/\/api\/debug\/threads$/, async (route) => {
      await held.opened;
      await route.fallback();
    });
    return held;
  }

  /** Creates threads with the widget's own requests, as the visitor of this page. Returns their ids. */
  async seed(...threads: readonly SeedThread[]): Promise<string[]> {
    const { script, origin } = this.site;
    const { now, answer: answering } = script;
    const request = this.page.context().request;
    const ids: string[] = [];
    for (const { title, at, turns = [] } of threads) {
      if (at) script.now = () => at;
      const { threadId } = (await post(request, `${origin}/api/debug/threads`, {})) as { threadId: string };
      ids.push(threadId);
      const thread = `${origin}/api/debug/threads/${threadId}`;
      for (const [content, answer] of turns) {
        script.answer = typeof answer === "string" ? () => textEvents(answer) : answer;
        await post(request, `${thread}/run/stream`, { messages: [{ id: randomId(), role: "user", content }] });
      }
      if (title !== undefined) await post(request, `${thread}/rename`, { title });
    }
    script.now = now;
    script.answer = answering;
    return ids;
  }
}

async function post(request: APIRequestContext, url: string, data: object): Promise<unknown> {
  const response = await request.post(url, { data });
  expect(response.ok(), `${url} responded with ${response.status()}`).toBe(true);
  const text = await response.text();
  return text.startsWith("{") ? JSON.parse(text) : text;
}
