/** One visitor of a shop signs out and another signs in, in the middle of everything. */
import type { Page } from "@playwright/test";
import { gate } from "./backend.ts";
import { ChatPage } from "./chat-page.ts";
import { png, text } from "./files.ts";
import { core, expect, test } from "./fixtures.ts";
import { pageContents } from "./page-contents.ts";
import { announcedIn, recordAnnouncements } from "./screen-reader.ts";
import { tokenOf } from "./visitor-token.ts";

/** A shop that knows who is signed in, and notifies its other tabs. */
const head = `<script>
  const tokens = ${JSON.stringify({ anna: tokenOf("anna"), boris: tokenOf("boris") })};
  const user = () => localStorage.getItem("shop-user") ?? "anna";
  const token = () => tokens[user()];
  const signIn = (name) => {
    localStorage.setItem("shop-user", name);
    chat.element.visitorId = name;
  };
  addEventListener("storage", ({ key }) => key === "shop-user" && (chat.element.visitorId = user()));
</script>`;
const renderers = `{ "tool:order": (container, { result }) => { container.innerHTML = "<input value=Секрет><b>" + JSON.stringify(result) + "</b>"; } }`;
const optionsOf = (layout: "launcher" | "inline") =>
  `{ ${layout === "inline" ? `target: "#chat",` : ""} layout: "${layout}", projectId: "signed", visitorToken: token, visitorId: user(), renderers: ${renderers} }`;

const everything = (page: Page) => page.evaluate(pageContents);

/** Records what a page sends from now on: addresses, headers with the decoded visitor's token, and bodies. */
function recordRequests(page: Page): string[] {
  const sent: string[] = [];
  page.on("request", (request) => {
    const token = request.headers()["authorization"]?.split(".")[1] ?? "";
    sent.push(
      [request.url(), Buffer.from(token, "base64url").toString(), request.postDataBuffer()?.toString() ?? ""].join(" "),
    );
  });
  return sent;
}

test(
  "nothing of the previous visitor is left in either of two tabs after another visitor has signed in",
  core,
  async ({ chat, page, site, context, console }) => {
    console.allow(/401|404|net::ERR/);
    const more = gate();
    site.script.answer = async function* ({ text: question }) {
      if (!question.includes("Пиши")) {
        yield { type: "tool-input-available", toolCallId: "c", toolName: "order", input: {} };
        yield { type: "tool-output-available", toolCallId: "c", output: { sum: "Секрет заказа" } };
      }
      yield { type: "text-delta", delta: `Секрет ответа на «${question}». ` };
      if (question.includes("Пиши")) await more.opened;
      yield { type: "text-delta", delta: "Секрет в конце." };
    };
    const other = new ChatPage(await context.newPage(), site);
    const tabs = [chat, other];
    const head2 = { head, options: optionsOf("launcher"), body: "<h1>Магазин</h1>" };
    for (const tab of tabs) {
      await recordAnnouncements(tab.page);
      await tab.goto("/shop", head2);
      await tab.button("Открыть чат").click();
      await expect(tab.composer).toBeVisible();
    }
    await chat.converse("Секрет Анны");
    await expect(chat.page.locator("b", { hasText: "Секрет заказа" })).toBeVisible();
    await chat.ask("Пиши секрет");
    await expect(chat.answerTexts.last()).toContainText("Секрет ответа");
    for (const tab of tabs) {
      const chooser = tab.page.waitForEvent("filechooser");
      await tab.button("Добавить вложение").click();
      await (await chooser).setFiles([png("секрет.png"), text("секрет.txt", "Секрет")]);
      await expect(tab.attachments).toHaveCount(2);
      await tab.composer.fill("Секрет в черновике");
    }
    // One upload is still in progress.
    await page.route(/\/attachments$/, (route) =>
      new Promise((resolve) => setTimeout(resolve, 3000)).then(() => route.abort()),
    );
    const chooser = page.waitForEvent("filechooser");
    await chat.button("Добавить вложение").click();
    await (await chooser).setFiles([text("секрет2.txt", "Секрет")]);
    await expect.poll(() => everything(page)).toMatch(/Секрет в черновике[^]*nitka:draft/);

    const threads = await page.evaluate<readonly string[]>(`fetch("/p/signed/api/debug/threads", {
      headers: { authorization: "Bearer " + token() },
    }).then((response) => response.json()).then((list) => list.map(({ threadId }) => threadId))`);
    expect(threads.length).toBeGreaterThan(0);
    const requests = tabs.map((tab) => recordRequests(tab.page));
    await page.evaluate(`announced.length = 0; signIn("boris")`);
    await other.page.evaluate("announced.length = 0");
    const traceOf = (found: string) => /секрет|anna|анн[аы]/i.test(found) || threads.some((id) => found.includes(id));

    for (const [index, tab] of tabs.entries()) {
      await expect(tab.composer).toBeHidden();
      await expect.poll(async () => (await everything(tab.page)).split("\n").filter(traceOf)).toEqual([]);
      await tab.button("Открыть чат").click();
      await expect(tab.composer).toBeVisible();
      if (index === 0) more.open();
      await expect(tab.messages).toHaveCount(0);
      await expect(tab.composer).toHaveValue("");
    }
    site.script.answer = () => [{ type: "text-delta", delta: "Здравствуйте, Борис." }];
    for (const tab of tabs) await tab.converse("Вопрос Бориса");
    await page.waitForTimeout(500);
    for (const [index, tab] of tabs.entries()) {
      expect((await everything(tab.page)).split("\n").filter(traceOf)).toEqual([]);
      expect((await announcedIn(tab.page)).filter(traceOf)).toEqual([]);
      expect(requests[index]?.filter(traceOf)).toEqual([]);
      expect(requests[index]?.filter((request) => request.includes('"sub":"boris"')).length).toBeGreaterThan(0);
    }
  },
);

test("the Back button, the browser's cache of pages and a new page restore nothing of the previous visitor", async ({
  chat,
  page,
}) => {
  const open = { head, options: optionsOf("inline") };
  await chat.open("/", open);
  await chat.converse("Секрет Анны");
  await chat.newThread();
  await chat.converse("Второй секрет");
  await chat.composer.fill("Секрет в черновике");
  await expect.poll(() => everything(page)).toContain("nitka:draft");
  const trace = /секрет|anna/i;
  const rest = async () => (await everything(page)).split("\n").filter((line) => trace.test(line));

  await test.step("Back", async () => {
    await page.evaluate(`signIn("boris")`);
    await expect(chat.questionTexts).toHaveCount(0);
    await chat.opened();
    await chat.converse("Вопрос Бориса");
    const sent = recordRequests(page);
    await page.evaluate(() => history.back());
    await expect.poll(rest).toEqual([]);
    await expect(chat.questionTexts).toHaveText(["Вопрос Бориса"]);
    await page.waitForTimeout(300);
    expect([await rest(), sent.filter((request) => trace.test(request))]).toEqual([[], []]);
  });
  await test.step("the browser's cache of pages, whose shop has another visitor by now", async () => {
    await page.evaluate(`localStorage.setItem("shop-user", "anna")`);
    // tests/engines has the real cache.
    const visibility = await page.evaluate(() => {
      dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
      dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
      return window.chat.element.style.visibility;
    });
    expect(visibility).toBe("hidden");
    await expect(chat.questionTexts).not.toHaveText(["Вопрос Бориса"]);
    await expect(chat.root).toBeVisible();
    expect(await everything(page)).not.toContain("Бориса");
  });
  await test.step("a new page, after a draft", async () => {
    await chat.opened();
    await chat.composer.fill("Секрет в черновике");
    await expect.poll(() => everything(page)).toContain("nitka:draft");
    await page.evaluate(`localStorage.setItem("shop-user", "boris")`);
    await chat.open("/", open);
    await expect(chat.questionTexts).toHaveText(["Вопрос Бориса"]);
    await expect.poll(rest).toEqual([]);
  });
});

test(
  "a chat that is opened before the page names its visitor opens for that visitor, and one that has been open closes for another",
  core,
  async ({ chat, page }) => {
    const shop = { options: `{ layout: "launcher", projectId: "signed" }`, body: "<h1>Магазин</h1>" };
    const name = (who: string | undefined) =>
      page.evaluate((token) => Object.assign(window.chat.element, { visitorToken: token }), who && tokenOf(who));
    const isNamed = () =>
      page.waitForRequest((request) => /debug\/threads/.test(request.url()) && "authorization" in request.headers());
    await chat.open("/", { options: `{ target: "#chat", projectId: "signed", visitorToken: "${tokenOf("anna")}" }` });
    await chat.converse("Вопрос Анны");
    const launcher = chat.root.getByRole("button", { name: /Открыть чат|Чат с ассистентом/ });

    await test.step("pressed while its code loads", async () => {
      const code = gate();
      await page.route(/\/app-[\w-]+\.js/, (route) => code.opened.then(() => route.fallback()), { times: 1 });
      await chat.goto("/", shop);
      await launcher.click();
      const named = isNamed();
      await name("anna");
      code.open();
      await named;
      await expect(chat.composer).toBeVisible();
      await expect(chat.questionTexts).toHaveText(["Вопрос Анны"]);
    });
    await test.step("pressed while the config is asked for with the token: the button stays", async () => {
      await chat.goto("/", shop);
      await expect(launcher).toBeVisible();
      const config = gate();
      await page.route(/\/config$/, (route) => config.opened.then(() => route.fallback()), { times: 1 });
      await name("anna");
      await launcher.click();
      config.open();
      await expect(chat.questionTexts).toHaveText(["Вопрос Анны"]);
    });
    await test.step("open, with the focus in the composer", async () => {
      await chat.goto("/", shop);
      await launcher.click();
      await expect(chat.composer).toBeFocused();
      const named = isNamed();
      await name("anna");
      await named;
      await expect(chat.questionTexts).toHaveText(["Вопрос Анны"]);
      await expect(chat.composer).toBeFocused();
    });
    await test.step("opened by the page's own button", async () => {
      await chat.goto("/", shop);
      await page.evaluate(() => window.chat.open());
      await name("anna");
      await expect(chat.questionTexts).toHaveText(["Вопрос Анны"]);
    });
    await test.step("closed again by the visitor", async () => {
      await chat.goto("/", shop);
      await launcher.click();
      await expect(chat.composer).toBeFocused();
      await page.keyboard.press("Escape");
      await expect(chat.composer).toBeHidden();
      const named = isNamed();
      await name("anna");
      await named;
      await expect(launcher).toBeVisible();
      await page.waitForTimeout(300);
      await expect(chat.composer).toBeHidden();
    });
    await test.step("another visitor's, and nobody's", async () => {
      for (const who of ["boris", undefined]) {
        await launcher.click();
        await expect(chat.composer).toBeFocused();
        await name(who);
        await expect(chat.composer).toBeHidden();
        await expect(launcher).toBeVisible();
        await page.waitForTimeout(300);
        await expect(chat.composer).toBeHidden();
      }
    });
  },
);
