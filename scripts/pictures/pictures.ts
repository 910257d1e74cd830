/**
 * `npm run pictures`: takes the screenshots of docs/pictures/ from the real program with its demo model. Names on the command
 * line select some of them.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import type { Browser, Page } from "@playwright/test";
import type { Program } from "../../tests/browser/program.ts";
import { startProgram } from "../../tests/browser/program.ts";
import { startDesk } from "./desk-data.ts";
import type { Desk } from "./desk-data.ts";
import { findBrowser } from "../find-browser.mjs";
import { folder } from "./picture-poses.ts";
import type { Programs, Scheme, Shot } from "./shots.ts";
import { earlier, shots } from "./shots.ts";

const chosen = process.argv.slice(2);
const unknown = chosen.find((name) => !shots.some((shot) => shot.name === name));
if (unknown !== undefined) {
  throw new Error(`There is no picture «${unknown}». There are: ${shots.map(({ name }) => name).join(", ")}.`);
}
await takeAll(shots.filter(({ name }) => chosen.length === 0 || chosen.includes(name)));

async function takeAll(wanted: readonly Shot[]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const data = mkdtempSync(join(tmpdir(), "nitka-pictures-"));
  // Both programs have the same secret, because a visitor's cookie does not distinguish their ports.
  const settings = { NITKA_MODEL: "demo", NITKA_SECRET: "a secret of pictures alone", LOG_LEVEL: "silent" };
  const fast = await startProgram({ ...settings, NITKA_DATA: join(data, "fast"), NITKA_DEMO_SPEED: "1000" });
  const slow = await startProgram({ ...settings, NITKA_DATA: join(data, "slow") });
  let deskStarted: Promise<Desk> | undefined;
  const desk = () => (deskStarted ??= startDesk(join(data, "desk")));
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb", "--font-render-hinting=none"],
  });
  try {
    for (const shot of wanted) {
      for (const scheme of shot.schemes ?? (["light", "dark"] as const)) {
        await take(browser, shot, scheme, { slow, fast, desk });
      }
    }
  } finally {
    await browser.close();
    await Promise.all([fast.stop(), slow.stop(), deskStarted?.then((each) => each.stop())]);
    rmSync(data, { recursive: true, force: true });
  }
}

async function take(browser: Browser, shot: Shot, scheme: Scheme, programs: Programs): Promise<void> {
  const context = await browser.newContext({
    viewport: shot.size,
    colorScheme: scheme,
    locale: "ru-RU",
    timezoneId: "Europe/Moscow",
    hasTouch: shot.touch ?? false,
    isMobile: shot.touch ?? false,
    baseURL: programs.fast.url,
  });
  const page = await context.newPage();
  // The existing threads are from yesterday.
  for (const program of shot.ofDesk ? [] : [programs.fast, programs.slow]) {
    await context.request.get(new URL("api/projects/default/config", program.url).href);
    for (const question of earlier) await makeThread(page, program, question);
  }
  if (!shot.ofDesk) {
    await page.clock.install({ time: Date.now() + 24 * 3_600_000 });
    await page.goto(shot.path ?? "");
  }
  await shot.pose(page, programs);
  await page.mouse.move(shot.size.width / 2, 24);
  const file = join(folder, `${shot.name}-${scheme}.png`);
  await page.screenshot({ path: file, animations: "disabled", caret: "hide" });
  await context.close();
  process.stdout.write(`${shot.name}-${scheme}.png ${Math.round(statSync(file).size / 1024)} KB\n`);
}

async function makeThread(page: Page, program: Program, content: string): Promise<void> {
  const { request } = page.context();
  const made = await request.post(new URL("api/debug/threads", program.url).href, { data: {} });
  const { threadId } = (await made.json()) as { threadId: string };
  const stream = await request.post(new URL(`api/debug/threads/${threadId}/run/stream`, program.url).href, {
    data: { messages: [{ id: crypto.randomUUID(), role: "user", content }] },
    timeout: 120_000,
  });
  await stream.text();
}
