/** A page creates and destroys a widget again and again, at random moments, on a slow and unreliable network. */
import type { CDPSession, Page } from "@playwright/test";
import { textEvents } from "./backend.ts";
import { expect, test } from "./fixtures.ts";
import { takeStock } from "./inventory.ts";

const ROUNDS = 50;

/** The allowed growth in bytes. The limit is generous, because the engine keeps compiled code and caches. */
const HEAP_GROWTH = 1_000_000;

/** The allowed growth in nodes. A leaked widget has hundreds. */
const NODE_GROWTH = 20;
const LISTENER_GROWTH = 20;

/** A random generator: numbers from 0 up to 1, in the same sequence for the same seed. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
}

interface Round {
  readonly options: object;
  /** Clicks: the delay in milliseconds, and the button as a position from 0 up to 1 among all buttons. */
  readonly presses: readonly { readonly after: number; readonly which: number }[];
  readonly sends: boolean;
  readonly life: number;
}

/** Creates a widget, sends commands and clicks, and destroys the widget. */
async function play(page: Page, round: Round): Promise<void> {
  await page.evaluate(async ({ options, presses, sends, life }) => {
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    const handle = window.Nitka.init(options);
    const ignore = () => undefined;
    if (sends) {
      void handle.open().catch(ignore);
      void handle.send("Вопрос").catch(ignore);
      void handle.setDraft("Черновик").catch(ignore);
    }
    const end = wait(life).then(() => handle.destroy());
    for (const { after, which } of presses) {
      await wait(after);
      const buttons = [...(handle.element.shadowRoot?.querySelectorAll("button") ?? [])];
      buttons[Math.floor(which * buttons.length)]?.click();
    }
    await end;
  }, round);
}

interface Memory {
  readonly heap: number;
  readonly nodes: number;
  readonly listeners: number;
}

async function memory(session: CDPSession): Promise<Memory> {
  for (let again = 0; again < 3; again += 1) await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  const valueOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return { heap: valueOf("JSHeapUsedSize"), nodes: valueOf("Nodes"), listeners: valueOf("JSEventListeners") };
}

for (const layout of ["inline", "launcher"] as const) {
  const seed = layout === "inline" ? 9 : 11;
  test(`${ROUNDS} destroyed widgets (${layout}, seed ${seed}) leave the page as it was`, async ({
    chat,
    page,
    site,
    console,
  }) => {
    // A destroyed widget logs nothing, but a broken request is logged.
    console.allow(/Failed to load resource|Upstream|Nitka/);
    const random = seededRandom(seed);
    const count = await takeStock(page);
    site.script.answer = async function* () {
      for (const event of textEvents("Один, **два**, `три`.")) {
        await new Promise((resolve) => setTimeout(resolve, 40));
        yield event;
      }
    };
    await page.route(/\/api\//, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 250 * random() ** 2));
      await (random() < 0.05 ? route.abort() : route.fallback()).catch(() => undefined);
    });
    await chat.goto("/", {
      script: `history.replaceState({ kept: true }, ""); document.cookie = "sidebar_state=true"`,
    });
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable");
    const next = (): Round => ({
      options: { layout, routing: "none", ...(random() < 0.5 && { target: "#chat" }) },
      presses: Array.from({ length: Math.floor(5 * random()) }, () => ({ after: 200 * random(), which: random() })),
      sends: random() < 0.7,
      life: 700 * random(),
    });
    // The first question stores the visitor in the browser, and `destroy` does not remove that.
    await play(page, { ...next(), presses: [], sends: true, life: 1500 });
    const before = await count();
    const left = { ...before, listeners: expect.any(Array) as unknown };
    const leftover = async () => {
      const now = await count();
      return {
        ...now,
        listeners: now.listeners.filter((id) => id !== "#document selectionchange"),
        // A suggestion that was pressed and not confirmed before `destroy` is kept as a draft, so that it is not lost.
        storage: now.storage.filter((key) => !key.startsWith("nitka:draft:")),
      };
    };
    const expected = { ...left, listeners: before.listeners.filter((id) => id !== "#document selectionchange") };
    const levels: Memory[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const played = next();
      await play(page, played);
      const what = `round ${round}: ${JSON.stringify(played)}`;
      if (round % 10 === 0) await expect.poll(leftover, { message: what }).toEqual(expected);
      if (round % 5 === 0) levels.push(await memory(session));
    }
    expect((await count()).listeners.filter((id) => id === "#document selectionchange").length).toBeLessThanOrEqual(1);
    // One destroyed widget at a time may stay in memory, probably because of what React remembers about the last focus. Some
    // levels of the first half have one, and some have none.
    const firstHalf = levels.slice(0, levels.length / 2);
    const mostOf = (figure: keyof Memory) => Math.max(...firstHalf.map((level) => level[figure]));
    const grows = async () => {
      const end = await memory(session);
      return {
        heap: end.heap - mostOf("heap") > HEAP_GROWTH,
        nodes: end.nodes - mostOf("nodes") > NODE_GROWTH,
        listeners: end.listeners - mostOf("listeners") > LISTENER_GROWTH,
      };
    };
    // A request that the last widget has aborted keeps the widget in memory until the request is over.
    await expect.poll(grows).toEqual({ heap: false, nodes: false, listeners: false });
  });
}
