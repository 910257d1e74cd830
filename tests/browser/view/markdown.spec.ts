import type { Locator } from "@playwright/test";
import type { ChatPage } from "../chat-page.ts";
import { gate, textEvents } from "../backend.ts";
import { core, expect, motion, test } from "../fixtures.ts";

test.use(motion);

/** Streams an answer with this markdown in a new thread, and waits for its end. */
async function answer(chat: ChatPage, markdown: string): Promise<Locator> {
  chat.site.script.answer = () => textEvents(markdown);
  if (chat.page.url() === "about:blank") await chat.open();
  else await chat.newThread();
  await chat.converse("Вопрос");
  return chat.answerTexts;
}

test("markdown becomes HTML elements, and HTML becomes text", core, async ({ chat }) => {
  await test.step("headings, emphasis, lists, quotes, rules and code become HTML elements", async () => {
    const text = await answer(
      chat,
      `# Один\n\n## Два\n\nАбзац с *курсивом*, **жирным** и \`кодом\`.\n\n- раз\n- два\n  - внутри\n\n3. три\n4. четыре\n\n> цитата\n\n---\n\nконец`,
    );
    await expect(text.getByRole("heading", { name: "Один" })).toBeVisible();
    await expect(text.getByRole("heading", { name: "Два" })).toBeVisible();
    await expect(text.locator("em")).toHaveText("курсивом");
    await expect(text.locator("strong")).toHaveText("жирным");
    await expect(text.locator("p code")).toHaveText("кодом");
    await expect(text.locator("ul ul li")).toHaveText("внутри");
    await expect(text.locator("ol")).toHaveAttribute("start", "3");
    await expect(text.locator("blockquote")).toHaveText("цитата");
    await expect(text.locator("hr")).toHaveCount(1);
  });

  await test.step("a table has column headers, rows and aligned cells", async () => {
    const text = await answer(chat, "| Город | Градусы |\n| :-- | --: |\n| Москва | 18 |\n| Казань | 20 |");
    const table = text.getByRole("table");
    await expect(table.getByRole("columnheader")).toHaveText(["Город", "Градусы"]);
    await expect(table.getByRole("row")).toHaveText([/Город/, /Москва/, /Казань/]);
    expect(await table.getByRole("cell", { name: "18" }).evaluate((cell) => getComputedStyle(cell).textAlign)).toMatch(
      /right|end/,
    );
  });

  await test.step("text between double tildes is struck through", async () => {
    const text = await answer(chat, "~~было~~ стало");
    await expect(text.locator("del, s")).toHaveText("было");
  });

  await test.step("a task list has disabled checkboxes", async () => {
    const text = await answer(chat, "- [x] сделано\n- [ ] впереди");
    await expect(text.getByRole("checkbox")).toHaveCount(2);
    await expect(text.getByRole("checkbox").first()).toBeChecked();
    await expect(text.getByRole("checkbox").nth(1)).not.toBeChecked();
    await expect(text.getByRole("checkbox").first()).toBeDisabled();
  });

  await test.step("URLs, www addresses and mail addresses become links", async () => {
    const text = await answer(chat, "https://example.com/а и www.example.org и <mailto:a@example.com> и b@example.com");
    await expect(text.getByRole("link", { name: "www.example.org" })).toHaveAttribute("href", "http://www.example.org");
    await expect(text.getByRole("link", { name: "b@example.com" })).toHaveAttribute("href", "mailto:b@example.com");
    await expect(text.getByRole("link", { name: /example\.com\// })).toHaveAttribute(
      "href",
      /^https:\/\/example\.com\//,
    );
  });

  await test.step("HTML in an answer is shown as text", async () => {
    const text = await answer(
      chat,
      'До <b onclick="alert(1)">жирного</b> после\n\n<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>',
    );
    await expect(text.locator("script, img, b, [onclick]")).toHaveCount(0);
    await expect(text).toContainText(["жирного"]);
  });
});

test("a footnote's links scroll to its text and back, and do not change the address", core, async ({ chat, page }) => {
  const text = await answer(chat, `Сноска[^1].\n\n${"Абзац.\n\n".repeat(60)}[^1]: Её текст.`);
  const url = page.url();
  const reference = text.locator("sup").getByRole("link");
  await reference.click();
  await expect(text.getByText("Её текст.")).toBeInViewport();
  await text.locator("li", { hasText: "Её текст." }).getByRole("link").click();
  await expect(reference).toBeInViewport();
  expect(page.url()).toBe(url);
});

test("footnotes of two answers have no id in common", async ({ chat, page, site }) => {
  site.script.answer = ({ text }) => textEvents(`Сноска[^1].\n\n[^1]: Текст сноски ${text}.`);
  await chat.open();
  await chat.converse("один");
  await chat.converse("два");
  const ids = await page.evaluate(() =>
    [...(document.querySelector("nitka-chat")?.shadowRoot?.querySelectorAll("[id]") ?? [])].map(({ id }) => id),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

test.describe("a link", () => {
  test("has an address only with an allowed protocol, and leaves the page alone", core, async ({ chat }) => {
    await test.step("keeps an address with an allowed protocol", async () => {
      const urls = [
        "http://example.com/",
        "https://example.com/",
        "irc://irc.example.com/nitka",
        "ircs://irc.example.com/nitka",
        "mailto:a@example.com",
        "xmpp:a@example.com",
      ];
      const text = await answer(chat, urls.map((url, index) => `[ссылка ${index}](${url})`).join("\n\n"));
      for (const [index, url] of urls.entries()) {
        await test.step(`keeps the address ${url}`, async () => {
          await expect(text.getByRole("link", { name: `ссылка ${index}` })).toHaveAttribute("href", url);
        });
      }
    });

    await test.step("has no address with another protocol, however the protocol is disguised", async () => {
      const urls = [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java&#10;script:alert(1)",
        "&#x6A;avascript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:msgbox(1)",
        "file:///etc/passwd",
        "ftp://example.com/",
        "tel:+70000000000",
        "blob:https://example.com/1",
        "\\javascript:alert(1)",
      ];
      const text = await answer(chat, urls.map((url, index) => `[ссылка ${index}](<${url}>)`).join("\n\n"));
      await expect(text).toHaveText([/ссылка 10/]);
      const hrefs = await text
        .locator("a[href]")
        .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).protocol));
      expect(hrefs.filter((protocol) => !/^https?:$/.test(protocol))).toEqual([]);
      for (const index of urls.keys()) await expect(text).toContainText([`ссылка ${index}`]);
    });

    await test.step("opens in a new tab without opener and referrer", async () => {
      const text = await answer(chat, "[ссылка](https://example.com/)");
      await expect(text.getByRole("link")).toHaveAttribute("target", "_blank");
      await expect(text.getByRole("link")).toHaveAttribute("rel", /noopener/);
      await expect(text.getByRole("link")).toHaveAttribute("rel", /noreferrer/);
    });
  });
});

test.describe("images", () => {
  test("of hosts outside imageHosts are not loaded, and are shown as links", async ({ chat, page }) => {
    const requested: string[] = [];
    page.on("request", (request) => void (request.resourceType() === "image" && requested.push(request.url())));
    const text = await answer(
      chat,
      "![секрет](https://evil.example/?q=секрет) ![два](//evil.example/2.png) ![три][x]\n\n[x]: https://evil.example/3.png",
    );
    await expect(text.locator("img")).toHaveCount(0);
    await expect(text.getByRole("link", { name: /секрет/ })).toHaveAttribute("href", /^https:\/\/evil\.example\//);
    expect(requested.filter((url) => url.includes("evil.example"))).toEqual([]);
  });

  test("of hosts in imageHosts are loaded", async ({ chat, page }) => {
    await page.route("https://pictures.example/**", (route) =>
      route.fulfill({
        contentType: "image/svg+xml",
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      }),
    );
    await chat.config({ imageHosts: ["pictures.example"] });
    const text = await answer(
      chat,
      "![закат](https://pictures.example/1.svg) ![иной](https://evilpictures.example/1.svg)",
    );
    await expect(text.getByRole("img", { name: "закат" })).toBeVisible();
    await expect(text.locator("img")).toHaveCount(1);
  });
});

test.describe("code blocks", () => {
  test.use({ permissions: ["clipboard-read", "clipboard-write"] });
  const markdown = "Вот:\n\n```TypeScript\nconst ответ = 42;\n```\n";

  test("have a header, a tooltip and colours", core, async ({ chat }) => {
    const text = await answer(chat, markdown);
    await test.step("have a header with the lowercase language and a «Copy» button", async () => {
      await expect(text.getByText("typescript", { exact: true })).toBeVisible();
      await expect(text.getByRole("button", { name: "Copy", exact: true })).toBeVisible();
      await expect(text.locator("pre code")).toHaveText("const ответ = 42;\n");
    });

    await test.step("show «Copy» in the button's tooltip", async () => {
      await text.locator(".copy-code").hover();
      await expect(chat.tooltip("Copy")).toBeVisible();
    });

    await test.step("are highlighted after they are closed", async () => {
      await expect(text.locator("pre code [class^=token-]").first()).toBeVisible();
      await expect(text.locator("pre [style]")).toHaveCount(0);
    });
  });

  test(
    "are copied by the «Copy» button, which shows the outcome for 3000 ms and ignores presses meanwhile",
    core,
    async ({ chat, page }) => {
      await page.clock.install();
      const text = await answer(chat, markdown);
      await chat.freezeClock();
      const button = text.locator(".copy-code");
      await expect(button).toHaveAttribute("data-outcome", "none");
      await button.click();
      await chat.tickUntil(16, async () => (await button.getAttribute("data-outcome")) === "ok");
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("const ответ = 42;");
      await page.evaluate(() => navigator.clipboard.writeText("другое"));
      await page.clock.runFor(1500);
      await button.click();
      await page.clock.runFor(1000);
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("другое");
      await expect(button).toHaveAttribute("data-outcome", "ok");
      await page.clock.runFor(600);
      await expect(button).toHaveAttribute("data-outcome", "none");
    },
  );

  test("are not copied when they are empty", async ({ chat, page }) => {
    const text = await answer(chat, "Пусто:\n\n```js\n```\n\nконец");
    await page.evaluate(() => navigator.clipboard.writeText("прежнее"));
    const button = text.locator(".copy-code");
    if (await button.isEnabled()) await button.click();
    await expect(button).toHaveAttribute("data-outcome", "none");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("прежнее");
  });

  test("scroll long lines and do not widen the page", async ({ chat, page }) => {
    const text = await answer(chat, `\`\`\`\n${"оченьдлиннаястрока".repeat(60)}\n\`\`\`\n`);
    const pre = text.locator("pre");
    expect(await pre.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true);
    expect((await pre.boundingBox())?.width).toBeLessThanOrEqual(704);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  });
});

test("a streamed answer renders incomplete markdown at every step", async ({ chat, site }) => {
  const gates = [gate(), gate(), gate()];
  site.script.answer = async function* () {
    yield { type: "text-delta", delta: "Это **жир" };
    await gates[0]?.opened;
    yield { type: "text-delta", delta: "ный** текст\n\n```js\nconst a" };
    await gates[1]?.opened;
    yield { type: "text-delta", delta: " = 1;\n```\n\n| а | б |\n| - | - |\n| 1" };
    await gates[2]?.opened;
    yield { type: "text-delta", delta: " | 2 |\n" };
  };
  await chat.open();
  await chat.ask("Вопрос");
  await expect(chat.answerTexts).toContainText(["жир"]);
  gates[0]?.open();
  await expect(chat.answerTexts.locator("strong")).toHaveText("жирный");
  await expect(chat.answerTexts.locator("pre")).toContainText("const a");
  gates[1]?.open();
  await expect(chat.answerTexts.getByRole("table")).toBeVisible();
  gates[2]?.open();
  await expect(chat.answerTexts.getByRole("cell")).toHaveText(["1", "2"]);
});

test("a streamed answer has the same elements as the stored answer after a reload", async ({ chat, page }) => {
  const markdown = `# Заголовок\n\nАбзац[^1] с \`кодом\` и [ссылкой][l].\n\n- а\n\n  б\n- в\n\n1. раз\n   - два\n\n| а | б |\n| - | - |\n| 1 | 2 |\n\n\`\`\`js\nconst x = 1;\n\`\`\`\n\n> цитата\n> дальше\n\n- [ ] дело\n\n[l]: https://example.com/\n[^1]: Сноска.\n`;
  const text = await answer(chat, markdown);
  await expect(text.locator("pre code [class^=token-]").first()).toBeVisible();
  const shape = () =>
    text.evaluate((element) => {
      const walk = (node: Element): string =>
        `<${node.tagName.toLowerCase()}>${[...node.childNodes]
          .map((child) => (child instanceof Element ? walk(child) : (child.textContent ?? "")))
          .join("")}</>`;
      return walk(element);
    });
  const streamed = await shape();
  await page.reload();
  await expect(text.locator("pre code [class^=token-]").first()).toBeVisible();
  await expect.poll(shape).toBe(streamed);
});

test("one writing dot stands at the end of the text that is being written", async ({ chat, site }) => {
  const steps = [
    ["Абзац", "p"],
    ["\n\n- раз\n-\n", "li"],
    ["  два", "p"],
    ["\n\n> цитата", "p"],
    ["\n\n---\n", "hr"],
    ["\n| а | б |\n| - | - |\n", "th"],
    ["| 1 | 2", "td"],
    [" |\n\n<div>\n", "span.markdown-source"],
    ["\n```js\nlet a", "span.code-piece"],
    ["\n```\n\n# Один[^1]", "h3"],
    ["\n\n[^1]: сноска", "p"],
  ] as const;
  const gates = steps.map(() => gate());
  site.script.answer = async function* () {
    for (const [index, [delta]] of steps.entries()) {
      yield { type: "text-delta", delta };
      await gates[index]?.opened;
    }
  };
  await chat.open();
  await chat.ask("Вопрос");
  const dots = () =>
    chat.answerTexts.evaluateAll((texts) =>
      texts
        .flatMap((text) => [text, ...text.querySelectorAll("*")])
        .filter((element) => getComputedStyle(element, "::after").animationName === "markdown-dot")
        .map(({ localName, className }) => (className ? `${localName}.${className}` : localName)),
    );
  for (const [index, [, element]] of steps.entries()) {
    await expect.poll(dots).toEqual([element]);
    gates[index]?.open();
  }
  await chat.idle();
});

test("a selection stays while the text around it grows", async ({ chat, page, site }) => {
  const gates = [gate(), gate(), gate()];
  site.script.answer = async function* () {
    yield { type: "text-delta", delta: "Первые слова" };
    await gates[0]?.opened;
    yield { type: "text-delta", delta: " и ещё **жирные" };
    await gates[1]?.opened;
    yield { type: "text-delta", delta: "** слова\n\n```\nкод" };
    await gates[2]?.opened;
    yield { type: "text-delta", delta: " растёт\n" };
  };
  await chat.open();
  await chat.ask("Вопрос");
  const selected = () => page.evaluate(() => getSelection()?.toString());
  const text = chat.answerTexts;
  await text.getByText("Первые слова").click({ clickCount: 2, position: { x: 20, y: 12 } });
  await expect.poll(selected).toBe("Первые");
  gates[0]?.open();
  await expect(text.locator("strong")).toHaveText("жирные");
  expect(await selected()).toBe("Первые");
  gates[1]?.open();
  await expect(text.locator("code")).toHaveText("код");
  expect(await selected()).toBe("Первые");
  await text.locator("code").click({ clickCount: 2, position: { x: 8, y: 10 } });
  await expect.poll(selected).toBe("код");
  gates[2]?.open();
  await expect(text.locator("code")).toHaveText("код растёт");
  expect(await selected()).toBe("код");
});
