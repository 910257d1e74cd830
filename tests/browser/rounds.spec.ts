/** A page that puts a widget in and takes it out again and again, at any moment, on a network that takes its time. */
import type { CDPSession, Page } from "@playwright/test";
import { textEvents } from "./backend.ts";
import { expect, server, test } from "./fixtures.ts";
import { takeStock } from "./inventory.ts";

const ROUNDS = 50;

/** Generous: the engine keeps compiled code and caches of its own. */
const HEAP_GROWTH = 1_500_000;

/** From a seed, 0 up to 1, the same each time. */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
}

interface Round {
  readonly options: object;
  /** After which a control is pressed, of those that are there. */
  readonly presses: readonly { readonly after: number; readonly which: number }[];
  readonly sends: boolean;
  readonly life: number;
}

/** Puts a widget in, talks, and takes it out. */
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

async function memory(session: CDPSession): Promise<{ readonly heap: number; readonly nodes: number }> {
  for (let again = 0; again < 3; again += 1) await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  const valueOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return { heap: valueOf("JSHeapUsedSize"), nodes: valueOf("Nodes") };
}

for (const layout of ["inline", "launcher"] as const) {
  const seed = layout === "inline" ? 9 : 11;
  test(
    `${ROUNDS} destroyed widgets (${layout}, seed ${seed}) leave the page as it was`,
    server,
    async ({ chat, page, site, console }) => {
      test.setTimeout(150_000);
      // What is destroyed on its way says nothing; what the network breaks is said.
      console.allow(/Failed to load resource|Upstream|Nitka/);
      const chance = chances(seed);
      const count = await takeStock(page);
      site.script.answer = async function* () {
        for (const event of textEvents("Один, **два**, `три`.")) {
          await new Promise((resolve) => setTimeout(resolve, 40));
          yield event;
        }
      };
      await page.route(/\/api\//, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 250 * chance() ** 2));
        await (chance() < 0.05 ? route.abort() : route.fallback()).catch(() => undefined);
      });
      await chat.goto("/", {
        script: `history.replaceState({ kept: true }, ""); document.cookie = "sidebar_state=true"`,
      });
      const session = await page.context().newCDPSession(page);
      await session.send("Performance.enable");
      const next = (): Round => ({
        options: { layout, routing: "none", ...(chance() < 0.5 && { target: "#chat" }) },
        presses: Array.from({ length: Math.floor(5 * chance()) }, () => ({ after: 200 * chance(), which: chance() })),
        sends: chance() < 0.7,
        life: 700 * chance(),
      });
      // A visitor who has said something is remembered: that is no widget's to take back.
      await play(page, { ...next(), presses: [], sends: true, life: 1500 });
      const before = await count();
      const left = { ...before, listeners: expect.any(Array) as unknown };
      const leftover = async () => {
        const now = await count();
        return { ...now, listeners: now.listeners.filter((id) => id !== "#document selectionchange") };
      };
      const expected = { ...left, listeners: before.listeners.filter((id) => id !== "#document selectionchange") };
      const levels: { readonly heap: number; readonly nodes: number }[] = [];
      for (let round = 1; round <= ROUNDS; round += 1) {
        const played = next();
        await play(page, played);
        const what = `round ${round}: ${JSON.stringify(played)}`;
        if (round % 10 === 0) await expect.poll(leftover, { message: what, timeout: 3000 }).toEqual(expected);
        if (round % 10 === 0) levels.push(await memory(session));
      }
      expect((await count()).listeners.filter((id) => id === "#document selectionchange").length).toBeLessThanOrEqual(
        1,
      );
      const [, middle] = levels;
      const end = levels.at(-1);
      expect((end?.heap ?? 0) - (middle?.heap ?? 0)).toBeLessThan(HEAP_GROWTH);
      expect((end?.nodes ?? 0) - (middle?.nodes ?? 0)).toBeLessThan(200);
    },
  );
}
