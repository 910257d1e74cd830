/** Answers in Hebrew and Arabic, and parts of them in an answer that begins with Latin letters. */
import type { Locator } from "@playwright/test";
import type { ChatPage } from "../chat-page.ts";
import { expect, test } from "../fixtures.ts";

async function open(chat: ChatPage, markdown: string): Promise<Locator> {
  await chat.seed({ title: "Разговор", turns: [["Вопрос", markdown]] });
  await chat.open();
  const answer = chat.answers.locator(".markdown");
  await expect(answer).toBeVisible();
  return answer;
}

const table = (word: string) =>
  [`${word}:`, "", ...[word, "-", word].map((cell) => `|${` ${cell} |`.repeat(20)}`)].join("\n");

for (const { script, word, far, near } of [
  { script: "Arabic", word: "عمودطويلجدا", far: "left", near: "right" },
  { script: "Latin", word: "averylongword", far: "right", near: "left" },
] as const) {
  test(`a wide table in ${script} fades where it goes on`, async ({ chat, page }) => {
    const scroller = (await open(chat, table(word))).locator(".table-scroll");
    await expect(scroller).toHaveAttribute("data-overflow", "end");
    await scroller.evaluate((element) => {
      // The text is covered, so that a pixel shows only the fade.
      element.style.background = "rgb(0, 0, 0)";
      for (const cell of element.querySelectorAll<HTMLElement>("th, td")) cell.style.visibility = "hidden";
    });
    /** The darkness of the middle of an edge, from 0 (faded) to 1. */
    const darkness = async (edge: "left" | "right") => {
      const box = await scroller.boundingBox();
      if (!box) throw new Error("no box");
      const x = edge === "left" ? box.x + 1 : box.x + box.width - 2;
      const clip = { x, y: box.y + box.height / 2, width: 1, height: 1 };
      const picture = (await page.screenshot({ clip })).toString("base64");
      return page.evaluate(async (source) => {
        const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${source}`)).blob());
        const context = new OffscreenCanvas(1, 1).getContext("2d");
        context?.drawImage(image, 0, 0);
        return 1 - (context?.getImageData(0, 0, 1, 1).data[0] ?? 0) / 255;
      }, picture);
    };
    expect(await darkness(near)).toBe(1);
    expect(await darkness(far)).toBeLessThan(0.3);
    await scroller.evaluate((element, left) => element.scrollTo({ left }), far === "left" ? -1e6 : 1e6);
    await expect(scroller).toHaveAttribute("data-overflow", "start");
    expect(await darkness(near)).toBeLessThan(0.3);
    expect(await darkness(far)).toBe(1);
  });
}

test("each heading of each rank follows its own first letter", async ({ chat }) => {
  const headings = Array.from({ length: 6 }, (_, index) => `${"#".repeat(index + 1)} כותרת`);
  const answer = await open(chat, ["Latin first.", ...headings].join("\n\n"));
  const gaps = await answer.evaluate((element) => {
    const { right } = element.getBoundingClientRect();
    return [...element.querySelectorAll("h3, h4, h5, h6")].map((heading) => {
      const range = document.createRange();
      range.selectNodeContents(heading);
      return Math.round(right - range.getBoundingClientRect().right);
    });
  });
  expect(gaps).toEqual([0, 0, 0, 0, 0, 0]);
});

test("code in a Hebrew sentence keeps its own order, and so do the words around it", async ({ chat }) => {
  const answer = await open(chat, "הקלד `--force` ואז `(a)` עכשיו");
  const orders = await answer.locator("code").evaluateAll((elements) =>
    elements.map((element) => {
      const text = element.firstChild;
      if (!(text instanceof Text)) throw new Error("no text");
      const places = Array.from(text.data, (char, index) => {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + 1);
        return { char, x: range.getBoundingClientRect().x };
      });
      return places
        .toSorted((one, other) => one.x - other.x)
        .map(({ char }) => char)
        .join("");
    }),
  );
  expect(orders).toEqual(["--force", "(a)"]);
});

test("an interface in a language that is written from right to left is mirrored, in English words", async ({
  chat,
}) => {
  await chat.goto("/", { options: `{ target: "#chat", locale: "ar" }` });
  const shell = chat.root.locator(".shell");
  await expect(shell).toHaveAttribute("lang", "ar");
  await expect(shell).toHaveAttribute("dir", "rtl");
  await expect(chat.root.getByText("Today", { exact: true })).toBeVisible();
  const composer = await chat.root.locator(".composer").boundingBox();
  const send = await chat.root.getByRole("button", { name: "Send", exact: true }).boundingBox();
  expect((send?.x ?? 0) - (composer?.x ?? 0)).toBeLessThan((composer?.width ?? 0) / 2);
});

test("the card and the list of sources follow the first letter of what they quote", async ({ chat, site }) => {
  const [title, quote] = ["משלוח", "המשלוח אורך יומיים."];
  site.script.answer = () => [
    {
      type: "source-url",
      sourceId: "1",
      url: "https://shop.example/page",
      title,
      providerMetadata: { nitka: { n: 1, quote, heading: "Раздел" } },
    },
    { type: "text-delta", delta: "Два дня [1]." },
  ];
  await chat.open();
  await chat.converse("Сколько ждать?");
  await chat.answers.locator("[data-citation]").focus();
  const card = chat.answers.getByRole("tooltip");
  await expect(card).toBeVisible();
  const directionOf = (text: string) =>
    card.getByText(text, { exact: text === title }).evaluate((element) => getComputedStyle(element).direction);
  expect([await directionOf(title), await directionOf(quote), await directionOf("Раздел")]).toEqual([
    "rtl",
    "rtl",
    "ltr",
  ]);
  await chat.button("1 источник", chat.answers).click();
  await expect(chat.answers.locator(".source-title")).toHaveCSS("direction", "rtl");
});
