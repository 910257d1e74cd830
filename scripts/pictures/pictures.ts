/**
 * `npm run pictures`: the screenshots of docs/pictures/, of the real program with its demo model. Names given on the
 * command line choose some of them.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import type { Browser, Page } from "@playwright/test";
import type { Program } from "../../tests/browser/program.ts";
import { startProgram } from "../../tests/browser/program.ts";
import { openSignedIn, startDesk } from "./desk-data.ts";
import type { Desk } from "./desk-data.ts";
import { findBrowser } from "../find-browser.mjs";
import { answered, ask, attach, converse, folder, open, settle } from "./picture-poses.ts";
import { askForMug, openInShop, orderMug, takeMug } from "./shop-poses.ts";

type Scheme = "light" | "dark";

interface Shot {
  readonly name: string;
  readonly path?: string;
  readonly size: { readonly width: number; readonly height: number };
  readonly touch?: true;
  /** Whether it shows the operators' desk, which needs no visitor. */
  readonly ofDesk?: true;
  /** In which schemes, where not in both: a host page may have one alone. */
  readonly schemes?: readonly Scheme[];
  /** Drives a fresh page, with a few threads in its list, into the state to be shown. */
  readonly pose: (page: Page, programs: Programs) => Promise<void>;
}

interface Programs {
  /** Writes at its usual pace. */
  readonly slow: Program;
  /** Writes at once. */
  readonly fast: Program;
  /** The operators' desk of a program with a week of runs; started with the first picture of it. */
  readonly desk: () => Promise<Desk>;
}

const wide = { width: 1280, height: 800 };
const phone = { width: 390, height: 780 };

/** The demo shop with the chat behind a button. */
const shop = "demo/launcher";

/** Earlier threads, so that no picture shows an empty list. */
const earlier = [
  "Чем отличается пиала от чашки?",
  "Покажи пример кода",
  "Сравни в таблице зелёный и чёрный чай",
] as const;

const shots: readonly Shot[] = [
  { name: "empty", size: wide, pose: (page) => open(page) },
  { name: "conversation", size: wide, pose: (page) => converse(page, "Какая погода в Сан-Франциско?") },
  { name: "long", size: wide, pose: (page) => converse(page, "Покажи markdown", "Покажи всё сразу") },
  {
    name: "tool-call",
    size: wide,
    async pose(page) {
      await converse(page, "Какая погода в Сан-Франциско?");
      const toggle = page.getByRole("button", { name: /^Used tool/ });
      await toggle.click();
      await toggle.evaluate((element) => element.scrollIntoView({ block: "center" }));
      await settle(page);
    },
  },
  { name: "error", size: wide, pose: (page) => converse(page, "Покажи ошибку") },
  {
    name: "streaming",
    size: wide,
    async pose(page, { slow }) {
      await page.goto(slow.url);
      await open(page);
      await ask(page, "Помоги написать эссе о приложениях с ИИ-чатом");
      await page
        .getByRole("article", { name: "Ассистент:" })
        .filter({ hasText: /.{450}/s })
        .waitFor({ timeout: 120_000 });
    },
  },
  {
    name: "loading",
    size: wide,
    schemes: ["light"],
    async pose(page) {
      await open(page);
      await page.route(/\/messages$/, () => undefined);
      await page.getByText(earlier[0]).click();
      await page.getByText("Загружаю историю…").waitFor();
    },
  },
  {
    name: "list-failed",
    size: wide,
    schemes: ["light"],
    async pose(page) {
      await page.route(/\/threads$/, (route) => route.fulfill({ status: 503, body: "" }));
      await page.reload();
      await page.getByRole("button", { name: "Повторить" }).waitFor();
    },
  },
  {
    name: "sidebar-closed",
    size: wide,
    schemes: ["light"],
    async pose(page) {
      await converse(page, "Сравни в таблице зелёный и чёрный чай");
      await page.getByRole("button", { name: "Боковая панель" }).click();
      await settle(page);
    },
  },
  {
    name: "renaming",
    size: wide,
    schemes: ["light"],
    async pose(page) {
      await open(page);
      const row = page.getByRole("listitem").filter({ hasText: earlier[0] });
      await row.hover();
      await row.getByRole("button", { name: /^Переименовать чат/ }).click();
      await page.getByRole("textbox", { name: "Название чата" }).waitFor();
    },
  },
  {
    name: "scrolled-up",
    size: wide,
    schemes: ["light"],
    async pose(page) {
      await converse(page, "Покажи markdown");
      await page.mouse.move(800, 300);
      await page.mouse.wheel(0, -900);
      await page.getByRole("button", { name: "Прокрутить вниз" }).waitFor();
      await settle(page);
    },
  },
  {
    name: "editing",
    size: wide,
    async pose(page) {
      await converse(page, "Покажи пример кода");
      await page.getByRole("button", { name: "Редактировать" }).click();
      await page.getByRole("textbox", { name: "Изменить сообщение" }).waitFor();
    },
  },
  {
    name: "branches",
    size: wide,
    async pose(page) {
      await converse(page, "Чем отличается пиала от чашки?");
      await page.getByRole("button", { name: "Сгенерировать заново" }).click();
      await page.locator(".branch-number").waitFor();
      await answered(page);
    },
  },
  {
    name: "attachments",
    size: wide,
    async pose(page) {
      await open(page);
      await attach(page);
      await page.getByPlaceholder("Напишите что-нибудь...").fill("Что на этих картинках?");
    },
  },
  {
    name: "attachments-sent",
    size: wide,
    async pose(page) {
      await open(page);
      await attach(page);
      await ask(page, "Что на этих картинках?");
      await answered(page);
    },
  },
  {
    name: "preview",
    size: wide,
    async pose(page) {
      await open(page);
      await attach(page);
      await page.locator(".attachment-tile button").first().click();
      await page.getByRole("dialog", { name: "Image Attachment Preview" }).waitFor();
      await settle(page);
    },
  },
  {
    name: "narrow",
    size: { width: 320, height: 640 },
    touch: true,
    schemes: ["light"],
    pose: (page) => converse(page, "Сравни в таблице зелёный и чёрный чай"),
  },
  { name: "mobile-empty", size: phone, touch: true, pose: (page) => open(page) },
  { name: "mobile", size: phone, touch: true, pose: (page) => converse(page, "Какая погода в Сан-Франциско?") },
  {
    name: "mobile-sheet",
    size: phone,
    touch: true,
    async pose(page) {
      await open(page);
      await page.getByRole("button", { name: "Боковая панель" }).click();
      await page.getByRole("dialog").waitFor();
      await settle(page);
    },
  },
  {
    name: "shop-1-shelf",
    path: shop,
    size: wide,
    schemes: ["light"],
    pose: (page) => page.waitForLoadState("networkidle"),
  },
  {
    name: "shop-2-offer",
    path: shop,
    size: wide,
    schemes: ["light"],
    async pose(page) {
      await openInShop(page);
      await ask(page, "Что у вас есть до 1500 рублей?");
      await answered(page);
    },
  },
  { name: "shop-3-approval", path: shop, size: wide, schemes: ["light"], pose: askForMug },
  { name: "shop-4-basket", path: shop, size: wide, pose: takeMug },
  { name: "shop-5-order", path: shop, size: wide, schemes: ["light"], pose: orderMug },
  { name: "shop-phone", path: shop, size: phone, touch: true, schemes: ["light"], pose: takeMug },
  {
    name: "shop-inline",
    path: "demo/",
    size: wide,
    schemes: ["light"],
    async pose(page) {
      await ask(page, "Что у вас есть до 1500 рублей?");
      await answered(page);
      await page.locator("nitka-chat").evaluate((element) => {
        element.scrollIntoView({ block: "center", behavior: "instant" });
      });
    },
  },
  { name: "desk-runs", ofDesk: true, size: wide, pose: openDesk },
  { name: "desk-days", ofDesk: true, size: wide, pose: (page, programs) => openDesk(page, programs, "По дням") },
  { name: "desk-feedback", ofDesk: true, size: wide, pose: (page, programs) => openDesk(page, programs, "Отзывы") },
  { name: "desk-run", ofDesk: true, size: wide, pose: openRun },
  {
    name: "desk-sign-in",
    ofDesk: true,
    size: wide,
    schemes: ["light"],
    async pose(page, { desk }) {
      await page.goto((await desk()).url);
      await page.getByLabel("Ключ").waitFor();
    },
  },
  { name: "desk-phone-runs", ofDesk: true, size: phone, touch: true, pose: openDesk },
  { name: "desk-phone-run", ofDesk: true, size: phone, touch: true, pose: openRun },
];

async function openDesk(page: Page, { desk }: Programs, section?: string): Promise<void> {
  await openSignedIn(page, await desk());
  if (section === undefined) return;
  await page.getByRole("link", { name: section, exact: true }).click();
  await page.locator(`[aria-current="page"]:text-is("${section}")`).waitFor();
  await page.getByRole("table").waitFor();
}

async function openRun(page: Page, programs: Programs): Promise<void> {
  await openDesk(page, programs);
  await page.getByRole("link", { name: "Погода в Сан-Франциско" }).click();
  await page.getByRole("article", { name: "Ассистент:" }).getByRole("table").waitFor();
  await settle(page);
}

const chosen = process.argv.slice(2);
const unknown = chosen.find((name) => !shots.some((shot) => shot.name === name));
if (unknown !== undefined) {
  throw new Error(`There is no picture «${unknown}». There are: ${shots.map(({ name }) => name).join(", ")}.`);
}
await takeAll(shots.filter(({ name }) => chosen.length === 0 || chosen.includes(name)));

async function takeAll(wanted: readonly Shot[]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const data = mkdtempSync(join(tmpdir(), "nitka-pictures-"));
  // One secret for both: a visitor's cookie does not tell their ports apart.
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
  // The threads that are there already are of yesterday.
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
