import { deepStrictEqual } from "node:assert";
import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { HostPageOptions } from "../browser/host-page.ts";
import { hostPage } from "../browser/host-page.ts";
import type { Site } from "../browser/site.ts";
import type { Driver, SpecialKey } from "./driver.ts";
import { findVisible, focusedName } from "./find-visible.ts";
import type { Query, VisibleElement } from "./find-visible.ts";

const TIMEOUT_MS = 60_000;

/** Collects the page's errors. It is served as a file, because a page with a strict policy runs no inline scripts. */
const COLLECT_ERRORS = `
window.collectedErrors = [];
addEventListener("error", (event) => collectedErrors.push("uncaught: " + event.message));
addEventListener("unhandledrejection", (event) => collectedErrors.push("unhandled: " + event.reason));
document.addEventListener("securitypolicyviolation", (event) =>
  collectedErrors.push("refused: " + event.violatedDirective + " " + event.blockedURI + " " + event.sourceFile));
console.error = (...args) => collectedErrors.push(args.map(String).join(" "));
`;

/** A host page with the widget, as a visitor uses it in any browser. */
export class WidgetPage {
  readonly #driver: Driver;
  readonly #site: Site;

  constructor(driver: Driver, site: Site) {
    this.#driver = driver;
    this.#site = site;
    site.host.files = { ...site.host.files, "/collect-errors.js": { type: "text/javascript", body: COLLECT_ERRORS } };
  }

  /** Opens a host page. */
  async open(path = "/", { head = "", ...options }: HostPageOptions = {}): Promise<void> {
    this.#site.host.html = hostPage({ ...options, head: `<script src="/collect-errors.js"></script>${head}` });
    await this.goto(path);
  }

  /** Opens a page that loads /collect-errors.js itself. */
  async openHtml(html: string): Promise<void> {
    this.#site.host.html = html;
    await this.goto("/");
  }

  /** Opens a path of the site with its current host page. */
  async goto(path: string): Promise<void> {
    // The former page still runs scripts until the next page loads, so it is marked.
    await this.#driver.run("window.isFormerPage = true");
    await this.#driver.goto(this.#site.origin + path);
    const isLoaded = `return window.isFormerPage !== true && document.readyState !== "loading"`;
    // A script fails while the browser replaces the page.
    await this.until(() => this.#driver.run(isLoaded).catch(() => false), true);
  }

  /** Runs a function in the page. It is sent as text, so it uses nothing outside itself. */
  evaluate<A extends readonly unknown[], R>(body: (...args: A) => R, ...args: A): Promise<R> {
    const values = args.map((arg) => JSON.stringify(arg)).join(", ");
    return this.#driver.run(`return (${body.toString()})(${values})`) as Promise<R>;
  }

  /** Repeats a query until its result equals the expected one. */
  async until<T>(query: () => Promise<T>, expected: T): Promise<void> {
    const end = performance.now() + TIMEOUT_MS;
    let actual = await query();
    while (!isDeepStrictEqual(actual, expected) && performance.now() < end) {
      await setTimeout(50);
      actual = await query();
    }
    deepStrictEqual(actual, expected);
  }

  findVisible(query: Query): Promise<readonly VisibleElement[]> {
    return this.evaluate(findVisible, query);
  }

  async texts(css: string): Promise<readonly string[]> {
    return (await this.findVisible({ css })).map(({ text }) => text);
  }

  /** Waits until the elements that match the selector have exactly these texts. */
  async showsTexts(css: string, ...texts: readonly string[]): Promise<void> {
    await this.until(() => this.texts(css), texts);
  }

  /** Waits until an element with this accessible name is visible. */
  async shows(name: string): Promise<void> {
    await this.until(async () => (await this.findVisible({ name })).length > 0, true);
  }

  /** Waits until no element with this accessible name is visible. */
  async hides(name: string): Promise<void> {
    await this.until(() => this.findVisible({ name }), []);
  }

  /** The accessible name of the focused element. */
  focusedName(): Promise<string> {
    return this.evaluate(focusedName);
  }

  async focusIsOn(name: string): Promise<void> {
    await this.until(() => this.focusedName(), name);
  }

  /** Clicks the first such control when it can be reached and has stopped moving. */
  async click(control: string | Query): Promise<void> {
    const query = typeof control === "string" ? { name: control } : control;
    let before: VisibleElement | undefined;
    await this.until(async () => {
      const [current] = await this.findVisible({ ...query, scroll: true });
      const isStill = current?.reachable === true && current.x === before?.x && current.y === before?.y;
      before = current;
      return isStill;
    }, true);
    if (before) await this.#driver.click(before.x, before.y);
  }

  press(...keys: readonly SpecialKey[]): Promise<void> {
    return this.#driver.press(keys);
  }

  type(text: string): Promise<void> {
    return this.#driver.type(text);
  }

  resize(width: number, height: number): Promise<void> {
    return this.#driver.resize(width, height);
  }

  /** Types a question and sends it. */
  async ask(text: string): Promise<void> {
    await this.click("Сообщение");
    await this.type(text);
    await this.press("Enter");
  }

  /** Asks a question and waits until its answer is finished. */
  async converse(text: string): Promise<void> {
    const before = (await this.findVisible({ css: ".answer" })).length;
    await this.ask(text);
    await this.until(async () => (await this.findVisible({ css: ".answer" })).length, before + 1);
    await this.shows("Отправить");
  }

  /** The page's errors since it was opened. */
  errors(): Promise<readonly string[]> {
    return this.evaluate(() => Reflect.get(window, "collectedErrors") as readonly string[]);
  }
}
