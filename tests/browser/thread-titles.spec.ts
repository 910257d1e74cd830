import { gate } from "./backend.ts";
import { core, coreOnBoth, corePlain, expect, motion, plain, test } from "./fixtures.ts";

test.use(motion);

test("an untitled thread is «New Chat» in the list and «Новый чат» above the thread", core, async ({ chat }) => {
  await chat.open();
  await expect(chat.threads).toHaveText([/New Chat/]);
  await expect(chat.title).toHaveText("Новый чат");
});

test("the header shows the thread's title and truncates a long one", async ({ chat }) => {
  const title = "Очень длинное название разговора ".repeat(12).trim();
  await chat.stub("GET", /\/api\/debug\/threads$/, {
    json: [{ threadId: "t1", title, updatedAt: "2026-03-10T20:00:00+03:00" }],
  });
  await chat.stub("GET", /\/messages$/, { json: [] });
  await chat.open();
  await expect(chat.title).toHaveText(title);
  const { scrollWidth, clientWidth, whiteSpace, overflow } = await chat.title.evaluate((element) => {
    const style = getComputedStyle(element);
    return {
      scrollWidth: element.scrollWidth,
      clientWidth: element.clientWidth,
      whiteSpace: style.whiteSpace,
      overflow: style.textOverflow,
    };
  });
  expect(scrollWidth).toBeGreaterThan(clientWidth);
  expect({ whiteSpace, overflow }).toEqual({ whiteSpace: "nowrap", overflow: "ellipsis" });
});

test(
  "the assistant's title appears in the list and above the thread, and is stored",
  coreOnBoth,
  async ({ chat, page, site }) => {
    site.script.title = "Погода в городе";
    await chat.open();
    await chat.converse("Какая погода?");
    await expect(chat.row("Погода в городе")).toHaveCount(1);
    await expect(chat.title).toHaveText("Погода в городе");
    await page.reload();
    await expect(chat.row("Погода в городе")).toHaveCount(1);
  },
);

test("every spelling of a title is typed, one character every 20 ms", corePlain, async ({ chat, page, site }) => {
  const spellings = [
    ["data-title under data", { type: "data-title", data: { title: "Печатаю" } }],
    ["data-title as a bare string", { type: "data-title", data: "Печатаю" }],
    ["data-title flat", { type: "data-title", title: "Печатаю" }],
    ["data-thread-title", { type: "data-thread-title", data: { title: "Печатаю" } }],
    ["thread-rename by title", { type: "thread-rename", title: "Печатаю" }],
    ["thread-rename by newTitle", { type: "thread-rename", newTitle: "Печатаю" }],
    ["thread-rename by newTitle under data", { type: "thread-rename", data: { newTitle: "Печатаю" } }],
  ] as const;
  test.slow();
  await page.clock.install();
  await chat.open();
  for (const [index, [spelling, event]] of spellings.entries()) {
    await test.step(`${spelling} types the title, one character every 20 ms`, async () => {
      if (index > 0) {
        await page.clock.resume();
        await chat.newThread();
      }
      const titled = gate();
      site.script.rawAnswer = async function* () {
        yield { type: "start", messageId: "a1" };
        yield { type: "text-delta", delta: "Ответ" };
        await titled.opened;
        yield event;
        yield { type: "finish" };
        yield "data: [DONE]\n\n";
      };
      await chat.ask("Привет");
      await expect(chat.answerTexts).toHaveText([/Ответ/]);
      await chat.freezeClock();
      titled.open();
      // The clock is stopped, so only a tick of 20 ms types a character.
      const seen: string[] = [];
      await chat.tickUntil(20, async () => seen.push(await chat.title.innerText()) > 0 && seen.at(-1) === "Печатаю");
      const typed = [...new Set(seen)].filter((text) => text !== "Новый чат" && text !== "");
      expect(typed).toEqual(["П", "Пе", "Печ", "Печа", "Печат", "Печата", "Печатаю"]);
      await expect(chat.row("Печатаю")).toHaveCount(index + 1);
    });
  }
});

test("a typed title grows by whole graphemes", plain, async ({ chat, page, site }) => {
  const titled = gate();
  site.script.rawAnswer = async function* () {
    yield { type: "start", messageId: "a1" };
    yield { type: "text-delta", delta: "Ответ" };
    await titled.opened;
    yield { type: "data-thread-title", title: "👩‍👩‍👧й!" };
    yield { type: "finish" };
  };
  await page.clock.install();
  await chat.open();
  await chat.ask("Привет");
  await expect(chat.answerTexts).toHaveText([/Ответ/]);
  await chat.freezeClock();
  titled.open();
  const seen = new Set<string>();
  await chat.tickUntil(20, async () => {
    seen.add(await chat.title.innerText());
    return seen.has("👩‍👩‍👧й!");
  });
  expect([...seen].filter((text) => text !== "Новый чат")).toEqual(["👩‍👩‍👧", "👩‍👩‍👧й", "👩‍👩‍👧й!"]);
});

test("a title appears at once under reduced motion", plain, async ({ chat, page, site }) => {
  const titled = gate();
  site.script.rawAnswer = async function* () {
    yield { type: "start", messageId: "a1" };
    yield { type: "text-delta", delta: "Ответ" };
    await titled.opened;
    yield { type: "data-thread-title", title: "Сразу целиком" };
    yield { type: "finish" };
  };
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.clock.install();
  await chat.open();
  await chat.ask("Привет");
  await expect(chat.answerTexts).toHaveText([/Ответ/]);
  await chat.freezeClock();
  titled.open();
  const seen = new Set<string>();
  await chat.tickUntil(20, async () => {
    seen.add(await chat.title.innerText());
    return seen.has("Сразу целиком");
  });
  expect([...seen].filter((text) => text !== "Новый чат")).toEqual(["Сразу целиком"]);
});
