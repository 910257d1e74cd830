import { both, core, expect, test } from "./fixtures.ts";

test.describe("Nitka.init", () => {
  test("fills the element that a selector names", core, async ({ chat, page }) => {
    await chat.open("/", { options: `{ target: "#chat" }` });
    await expect(page.locator("#chat > nitka-chat")).toHaveCount(1);
    const target = await page.locator("#chat").boundingBox();
    expect(await chat.root.boundingBox()).toEqual(target);
  });

  test("fills the element that it is given", core, async ({ chat, page }) => {
    await chat.open("/", { options: `{ target: document.querySelector("#chat") }` });
    await expect(page.locator("#chat > nitka-chat")).toHaveCount(1);
  });

  test("appends a new container to the body when it gets no target", core, async ({ chat, page }) => {
    await chat.open("/", { options: "{}", body: "<p>Текст страницы</p>" });
    await expect(page.locator("body > div:last-child > nitka-chat")).toHaveCount(1);
  });

  test("works without any options", async ({ chat, page }) => {
    await chat.open("/", { options: "", body: "" });
    await expect(page.locator("body > div > nitka-chat")).toHaveCount(1);
  });

  test("throws at wrong options, and creates nothing", core, async ({ chat, page }) => {
    await chat.goto("/", { script: "" });
    const thrownBy = (options: object) =>
      page.evaluate((given) => {
        try {
          window.Nitka.init(given);
          return undefined;
        } catch (error) {
          return (error as Error).message;
        }
      }, options);

    await test.step("throws «Target not found: {selector}» for a selector that matches nothing", async () => {
      expect(await thrownBy({ target: "#nowhere .at-all" })).toBe("Target not found: #nowhere .at-all");
      await expect(chat.root).toHaveCount(0);
    });

    for (const [option, value] of [
      ["target", 42],
      ["layout", "sidebar"],
      ["routing", "query"],
      ["locale", ["ru"]],
      ["colorScheme", "sepia"],
      ["proxyUrl", "http://["],
      ["projectId", 7],
      ["on", "ready"],
    ] as const) {
      await test.step(`throws an error that names an option of a wrong type: ${option}`, async () => {
        expect(await thrownBy({ [option]: value })).toContain(option);
        await expect(chat.root).toHaveCount(0);
      });
    }
  });

  test("creates the custom element nitka-chat with an open shadow root", core, async ({ chat, page }) => {
    await chat.open();
    expect(
      await page.evaluate(() => ({
        defined: customElements.get("nitka-chat") !== undefined,
        mode: document.querySelector("nitka-chat")?.shadowRoot?.mode,
      })),
    ).toEqual({ defined: true, mode: "open" });
  });

  test("is not needed for an element in the page's own markup", async ({ chat, page, site }) => {
    const config = page.waitForRequest(/\/config$/);
    await chat.open("/", {
      body: `<div id="chat"><nitka-chat project-id="default" proxy-url="${site.origin}/"></nitka-chat></div>`,
      script: "",
    });
    expect((await config).url()).toBe(`${site.origin}/api/projects/default/config`);
    await chat.converse("Привет");
  });

  test("runs after an async script has loaded if the page queued it before", async ({ chat, page, site }) => {
    await chat.goto("/", { script: "" });
    site.host.html = `<!doctype html><meta charset="utf-8"><div id="chat" style="height: 100vh"></div>
      <script>
        window.Nitka = window.Nitka || [];
        Nitka.push(["init", { target: "#chat", on: { ready: () => { window.ready = true } } }]);
      </script>
      <script async src="/widget/nitka.js"></script>`;
    await page.goto(`${site.origin}/`);
    await expect(chat.composer).toBeVisible();
    await page.waitForFunction(() => Reflect.get(window, "ready") === true);
  });
});

test.describe("the handle", () => {
  test("is passed to on.ready once, after the first render", core, async ({ chat, page }) => {
    await chat.open("/", {
      script: `
        window.calls = [];
        window.chat = Nitka.init({ target: "#chat", on: { ready(handle) {
          window.calls.push({ handle, rendered: handle.element.shadowRoot.querySelector("*") !== null });
        } } });
        window.early = window.calls.length;`,
    });
    await chat.converse("Привет");
    expect(
      await page.evaluate(() => {
        const { calls, chat, early } = window as unknown as {
          calls: { handle: unknown; rendered: boolean }[];
          chat: unknown;
          early: number;
        };
        return { early, calls: calls.map(({ handle, rendered }) => ({ same: handle === chat, rendered })) };
      }),
    ).toEqual({ early: 0, calls: [{ same: true, rendered: true }] });
  });

  test("has the promise ready and the widget's element", async ({ chat, page }) => {
    await chat.open();
    expect(
      await page.evaluate(async () => {
        await window.chat.ready;
        return window.chat.element === document.querySelector("nitka-chat");
      }),
    ).toBe(true);
  });

  test("sends questions, creates threads and selects threads as a visitor can", both, async ({ chat, page }) => {
    await chat.open();
    await page.evaluate(() => void window.chat.send("Вопрос от страницы"));
    await expect(chat.questionTexts).toHaveText(["Вопрос от страницы"]);
    await chat.idle();
    const first = chat.threadId();

    await page.evaluate(() => void window.chat.newThread());
    await expect(chat.messages).toHaveCount(0);
    await expect.poll(() => chat.threadId()).not.toBe(first);

    await page.evaluate((id) => void window.chat.selectThread(id), first);
    await expect(chat.questionTexts).toHaveText(["Вопрос от страницы"]);
    await expect.poll(() => chat.threadId()).toBe(first);
  });

  test("runs commands in order, each in the thread that is open at its turn", core, async ({ chat, page }) => {
    const [id = ""] = await chat.seed({ title: "Прежний", turns: [["Было", "Стало"]] }, { title: "Нынешний" });
    await chat.open();
    const outcomes = await page.evaluate(async (threadId) => {
      const { chat } = window;
      const first = chat.selectThread(threadId);
      const old = chat.send("Ещё туда");
      const made = chat.newThread();
      const sent = [chat.send("Один"), chat.send("Два")];
      await first;
      return { old: (await old).threadId, made: (await made).threadId, sent: await Promise.all(sent) };
    }, id);
    await expect(chat.questionTexts).toHaveText(["Один", "Два"]);
    await chat.idle();
    expect(outcomes.old).toBe(id);
    expect(outcomes.sent.map(({ threadId }) => threadId)).toEqual([outcomes.made, outcomes.made]);
    expect((await chat.stored()).map((message) => message.id)).toEqual(
      expect.arrayContaining(outcomes.sent.map(({ messageId }) => messageId)),
    );
    await chat.rowLink("Прежний").click();
    await expect(chat.questionTexts).toHaveText(["Было", "Ещё туда"]);
  });

  test("rejects commands that cannot be done, without an unhandled rejection", async ({ chat, page }) => {
    await chat.open();
    const reasons = await page.evaluate(async () => {
      const unhandled: string[] = [];
      addEventListener("unhandledrejection", (event) => unhandled.push(String(event.reason)));
      void window.chat.selectThread("nowhere");
      const reason = await window.chat.selectThread("nowhere").catch(String);
      window.chat.destroy();
      void window.chat.newThread();
      const late = await window.chat.send("Вопрос").catch(String);
      await new Promise((resolve) => setTimeout(resolve, 50));
      return { reason, late, unhandled };
    });
    expect(reasons).toEqual({
      reason: 'Error: Nitka: there is no thread "nowhere" of this visitor.',
      late: "Error: Nitka: the widget is destroyed.",
      unhandled: [],
    });
  });

  test("sets the composer's draft and focus", async ({ chat, page }) => {
    await chat.open("/", { body: `<button>кнопка</button><div id="chat"></div>` });
    await page.getByRole("button", { name: "кнопка" }).focus();
    await page.evaluate(async () => {
      await window.chat.setDraft("Где мой заказ?");
      await window.chat.focus();
    });
    await expect(chat.composer).toHaveValue("Где мой заказ?");
    await expect(chat.composer).toBeFocused();
  });

  test("reports events through callbacks and as nitka-* events of the element", async ({ chat, page }) => {
    await chat.open("/", {
      script: `
        window.seen = [];
        const note = (name) => (detail) => window.seen.push([name, detail]);
        document.addEventListener("nitka-threadchange", (event) => note("dom threadchange")(event.detail), true);
        document.addEventListener("nitka-message", (event) => note("dom message")(event.detail), true);
        window.chat = Nitka.init({ target: "#chat", on: { threadchange: note("threadchange"), message: note("message") } });`,
    });
    await chat.converse("Привет");
    const threadId = chat.threadId();
    const seen = (await page.evaluate(() => Reflect.get(window, "seen"))) as [string, Record<string, unknown>][];
    expect(seen.findLast(([name]) => name.endsWith("threadchange"))?.[1]).toEqual({ threadId });
    expect(seen.filter(([name]) => name === "dom threadchange")).toHaveLength(
      seen.filter(([name]) => name === "threadchange").length,
    );
    const messages = seen.filter(([name]) => name === "message").map(([, detail]) => detail);
    expect(messages.map((detail) => detail["threadId"])).toEqual(messages.map(() => threadId));
    expect(messages.map((detail) => (detail["message"] as { role: string }).role)).toEqual(["user", "assistant"]);
    expect(seen.filter(([name]) => name === "dom message")).toHaveLength(messages.length);
  });

  test("reports a failed stream to on.error", both, async ({ chat, page, console }) => {
    console.allow(/./);
    await chat.open("/", {
      script: `
        window.errors = [];
        window.chat = Nitka.init({ target: "#chat", on: { error: (error) => window.errors.push(String(error.message)) } });`,
    });
    await chat.stub("POST", /run\/stream/, { status: 500, body: "беда" });
    await chat.ask("Привет");
    await expect
      .poll(() => page.evaluate(() => Reflect.get(window, "errors") as string[]))
      .toContainEqual(expect.stringContaining("Upstream 500: беда"));
  });

  test("changes the colour scheme with setColorScheme", async ({ chat, page }) => {
    await page.emulateMedia({ colorScheme: "light" });
    await chat.open();
    const background = () => chat.composer.evaluate((element) => getComputedStyle(element).colorScheme);
    const light = await chat.composer.evaluate((element) => getComputedStyle(element).color);
    await page.evaluate(() => window.chat.setColorScheme("dark"));
    await expect.poll(() => chat.composer.evaluate((element) => getComputedStyle(element).color)).not.toBe(light);
    expect(await background()).toContain("dark");
  });
});

test("the widget adds no global to the page except Nitka", async ({ chat, page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, "before", {
      value: new Set(Object.getOwnPropertyNames(window)),
      enumerable: false,
    });
  });
  await chat.open();
  await chat.converse("Покажи `код`");
  expect(
    await page.evaluate(() => {
      const before = Reflect.get(window, "before") as Set<string>;
      return Object.getOwnPropertyNames(window).filter((name) => !before.has(name) && !/^(before|chat)$/.test(name));
    }),
  ).toEqual(["Nitka"]);
});
