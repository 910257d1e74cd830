import { deepStrictEqual } from "node:assert";
import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { HostPageOptions } from "../browser/host-page.ts";
import { hostPage } from "../browser/host-page.ts";
import type { Site } from "../browser/site.ts";
import type { Driver, SpecialKey } from "./driver.ts";
import { look, lookAtFocus } from "./look.ts";
import type { Query, Seen } from "./look.ts";

const PATIENCE_MS = 15_000;

/** What the page says of its errors, wherever they come from. A file of its own: strict pages run no inline scripts. */
const NOTES = `
window.notes = [];
addEventListener("error", (event) => notes.push("uncaught: " + event.message));
addEventListener("unhandledrejection", (event) => notes.push("unhandled: " + event.reason));
document.addEventListener("securitypolicyviolation", (event) =>
  notes.push("refused: " + event.violatedDirective + " " + event.blockedURI + " " + event.sourceFile));
console.error = (...said) => notes.push(said.map(String).join(" "));
`;

/** The widget in a page of a host, as a visitor of any browser meets it. */
export class WidgetPage {
  readonly #driver: Driver;
  readonly #site: Site;

  constructor(driver: Driver, site: Site) {
    this.#driver = driver;
    this.#site = site;
    site.host.files = { ...site.host.files, "/notes.js": { type: "text/javascript", body: NOTES } };
  }

  /** Opens a host page. */
  async open(path = "/", { head = "", ...options }: HostPageOptions = {}): Promise<void> {
    this.#site.host.html = hostPage({ ...options, head: `<script src="/notes.js"></script>${head}` });
    await this.goto(path);
  }

  /** Opens a page that loads /notes.js itself. */
  async openHtml(html: string): Promise<void> {
    this.#site.host.html = html;
    await this.goto("/");
  }

  /** Opens a path of the site as it stands. */
  async goto(path: string): Promise<void> {
    // What is still to go answers too, until the next page is there.
    await this.#driver.run("window.isLeft = true");
    await this.#driver.goto(this.#site.origin + path);
    const arrived = `return window.isLeft !== true && document.readyState !== "loading"`;
    // A page refuses to answer in the moment in which it goes.
    await this.until(() => this.#driver.run(arrived).catch(() => false), true);
  }

  /** Runs a function in the page that uses nothing from outside of itself. */
  evaluate<A extends readonly unknown[], R>(body: (...args: A) => R, ...args: A): Promise<R> {
    const values = args.map((arg) => JSON.stringify(arg)).join(", ");
    return this.#driver.run(`return (${body.toString()})(${values})`) as Promise<R>;
  }

  /** Waits until what is asked answers what is expected. */
  async until<T>(ask: () => Promise<T>, expected: T): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    let answer = await ask();
    while (!isDeepStrictEqual(answer, expected) && performance.now() < end) {
      await setTimeout(50);
      answer = await ask();
    }
    deepStrictEqual(answer, expected);
  }

  look(query: Query): Promise<readonly Seen[]> {
    return this.evaluate(look, query);
  }

  async texts(css: string): Promise<readonly string[]> {
    return (await this.look({ css })).map(({ text }) => text);
  }

  /** Until these elements say these texts, and there are no others of them. */
  async says(css: string, ...texts: readonly string[]): Promise<void> {
    await this.until(() => this.texts(css), texts);
  }

  async shows(name: string): Promise<void> {
    await this.until(async () => (await this.look({ name })).length > 0, true);
  }

  async hides(name: string): Promise<void> {
    await this.until(() => this.look({ name }), []);
  }

  /** What has the focus. */
  focused(): Promise<string> {
    return this.evaluate(lookAtFocus);
  }

  async focusIsOn(name: string): Promise<void> {
    await this.until(() => this.focused(), name);
  }

  /** Presses the mouse on the first such control, once it can be reached and stands still. */
  async click(control: string | Query): Promise<void> {
    const query = typeof control === "string" ? { name: control } : control;
    let before: Seen | undefined;
    await this.until(async () => {
      const [seen] = await this.look({ ...query, scroll: true });
      const still = seen?.reachable === true && seen.x === before?.x && seen.y === before?.y;
      before = seen;
      return still;
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

  /** Writes a question and sends it. */
  async ask(text: string): Promise<void> {
    await this.click("Сообщение");
    await this.type(text);
    await this.press("Enter");
  }

  /** Asks, and waits until the answer is whole. */
  async converse(text: string): Promise<void> {
    const before = (await this.look({ css: ".answer" })).length;
    await this.ask(text);
    await this.until(async () => (await this.look({ css: ".answer" })).length, before + 1);
    await this.shows("Отправить");
  }

  /** What the page said of errors since it was opened. */
  notes(): Promise<readonly string[]> {
    return this.evaluate(() => Reflect.get(window, "notes") as readonly string[]);
  }
}
