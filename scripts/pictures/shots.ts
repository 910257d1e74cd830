import type { Page } from "@playwright/test";
import type { Program } from "../../tests/browser/program.ts";
import { openSignedIn } from "./desk-data.ts";
import type { Desk } from "./desk-data.ts";
import { answered, ask, attach, converse, open, settle } from "./picture-poses.ts";
import { askForMug, openInShop, orderMug, takeMug } from "./shop-poses.ts";

export type Scheme = "light" | "dark";

export interface Shot {
  readonly name: string;
  readonly path?: string;
  readonly size: { readonly width: number; readonly height: number };
  readonly touch?: true;
  /** Whether the picture shows the operators' desk, which needs no visitor. */
  readonly ofDesk?: true;
  /** The colour schemes, if not both: a host page may have only one. */
  readonly schemes?: readonly Scheme[];
  /** Brings a new page, with a few threads in its list, into the state to be shown. */
  readonly pose: (page: Page, programs: Programs) => Promise<void>;
}

export interface Programs {
  /** A program that writes at its usual pace. */
  readonly slow: Program;
  /** A program that writes at once. */
  readonly fast: Program;
  /** The operators' desk of a program with a week of runs. It starts with its first picture. */
  readonly desk: () => Promise<Desk>;
}

const wide = { width: 1280, height: 800 };
const phone = { width: 390, height: 780 };

/** The demo shop with the chat behind a button. */
const shop = "demo/launcher";

/** Earlier threads, so that no picture shows an empty list. */
export const earlier = [
  "Чем отличается пиала от чашки?",
  "Покажи пример кода",
  "Сравни в таблице зелёный и чёрный чай",
] as const;

/** The pictures of the documents. */
export const shots: readonly Shot[] = [
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
