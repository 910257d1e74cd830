import { scriptedSpeech, withoutSpeech } from "../../browser/scripted-speech.ts";
import type { WidgetPage } from "../widget-page.ts";
import type { Scenario } from "./scenario.ts";

/** Makes the backend's config offer dictation and reading aloud. */
const VOICE = `<script>
const { fetch } = window;
window.fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (!String(input).endsWith("/config")) return response;
  return Response.json({ ...(await response.json()), voice: { input: true, output: true } });
};
</script>`;

const draft = async (page: WidgetPage) => (await page.findVisible({ name: "Сообщение" }))[0]?.value;

/** Dictation and reading aloud, with a scripted speech engine, because real engines differ in more than this. */
export const voice: readonly Scenario[] = [
  {
    title: "dictates at the caret, goes on behind what is typed meanwhile, and ends with Escape, which keeps the focus",
    async run(page) {
      await page.open("/", { head: scriptedSpeech + VOICE });
      await page.click("Сообщение");
      await page.type("раз два");
      for (let step = 0; step < 3; step += 1) await page.press("ArrowLeft");
      await page.click("Диктовать");
      await page.shows("Остановить запись");
      await page.focusIsOn("Сообщение");
      await page.evaluate(() => {
        window.speech.begin();
        window.speech.hear("слово…");
      });
      await page.until(() => draft(page), "раз слово два");
      await page.type("!");
      await page.until(() => draft(page), "раз слово! два");
      await page.evaluate(() => window.speech.hear("слово", " ещё"));
      await page.until(() => draft(page), "раз слово! ещё два");
      await page.press("Escape");
      await page.evaluate(() => window.speech.finish());
      await page.shows("Диктовать");
      await page.focusIsOn("Сообщение");
      await page.type("?");
      await page.until(() => draft(page), "раз слово! ещё? два");
      await page.until(() => page.evaluate(() => window.speech.log), ["start ru-RU", "stop", "abort"]);
    },
  },
  {
    title: "dictates at the end of a draft whose field nobody has touched",
    async run(page) {
      await page.open("/", { head: scriptedSpeech + VOICE });
      await page.shows("Диктовать");
      await page.evaluate(() => window.chat.setDraft("раз"));
      await page.until(() => draft(page), "раз");
      await page.click("Диктовать");
      await page.evaluate(() => {
        window.speech.begin();
        window.speech.hear("два");
      });
      await page.until(() => draft(page), "раз два");
    },
  },
  {
    title: "reads an answer aloud by keyboard, sentence by sentence, and leaves the focus on the button",
    async run(page, site) {
      site.script.answer = () => [{ type: "text-delta", delta: "Сегодня **ясно**. Ветра нет." }];
      await page.open("/", { head: scriptedSpeech + VOICE });
      await page.converse("Погода?");
      await page.shows("Прочитать вслух");
      await page.evaluate(() =>
        document.querySelector("nitka-chat")?.shadowRoot?.querySelector<HTMLElement>(".reading-button")?.focus(),
      );
      await page.press("Enter");
      await page.focusIsOn("Остановить чтение");
      await page.evaluate(() => window.speech.readOn());
      const spoken = () => page.evaluate(() => window.speech.log.filter((entry) => entry.startsWith("speak")));
      await page.until(spoken, ["speak ru-RU Сегодня ясно.", "speak ru-RU Ветра нет."]);
      await page.press("Enter");
      await page.focusIsOn("Прочитать вслух");
    },
  },
  {
    title: "has neither button in a browser without speech",
    provedBy: [["voice.spec.ts", "are absent without the config or the browser's speech"]],
    async run(page) {
      await page.open("/", { head: withoutSpeech + VOICE });
      await page.converse("Вопрос");
      await page.until(
        () =>
          page.evaluate(() =>
            performance.getEntriesByType("resource").some(({ name }) => /\/voice-[\w-]+\.js/.test(name)),
          ),
        true,
      );
      await page.hides("Диктовать");
      await page.hides("Прочитать вслух");
    },
  },
];
