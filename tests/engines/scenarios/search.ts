import type { Scenario } from "./scenario.ts";

const FIELD = "Поиск по\u00a0чатам";

/** The responses of a backend with forty threads, of which a search finds two. */
const FORTY_THREADS = `<script>
const { fetch } = window;
const threads = Array.from({ length: 40 }, (_, index) => ({
  threadId: "t" + index,
  title: "Разговор " + index,
  updatedAt: new Date(Date.UTC(2026, 0, 1) - index * 86_400_000).toISOString(),
}));
window.fetch = async (input, init) => {
  const { pathname, searchParams } = new URL(typeof input === "string" ? input : input.url ?? input, location.href);
  if (pathname.endsWith("/threads") && (init?.method ?? "GET") === "GET") {
    return Response.json(searchParams.has("query") ? [threads[7], threads[3]] : threads);
  }
  if (pathname.endsWith("/messages")) return Response.json([]);
  const response = await fetch(input, init);
  if (!pathname.endsWith("/config")) return response;
  const config = await response.json();
  return Response.json({ ...config, features: { ...config.features, search: true } });
};
</script>`;

/** The search in the list. Focus, caret and Escape in a search field differ between engines. */
export const search: readonly Scenario[] = [
  {
    title:
      "searches the list by keyboard: arrows lead to what is found and back, Enter opens it, Escape empties the field",
    async run(page) {
      const written = async () => (await page.findVisible({ name: FIELD }))[0]?.value;
      await page.open("/", { head: FORTY_THREADS });
      await page.click(FIELD);
      await page.focusIsOn(FIELD);
      await page.type("разговор");
      await page.showsTexts(".search-hit", "Разговор 7", "Разговор 3");
      await page.press("ArrowDown");
      await page.focusIsOn("Разговор 7");
      await page.press("ArrowDown");
      await page.focusIsOn("Разговор 3");
      await page.press("ArrowDown");
      await page.focusIsOn("Разговор 3");
      await page.press("Enter");
      await page.until(() => page.texts(".thread-crumb"), ["Разговор 3"]);
      await page.click(FIELD);
      await page.press("ArrowDown");
      await page.press("ArrowUp");
      await page.focusIsOn(FIELD);
      await page.type("!");
      await page.until(written, "разговор!");
      await page.press("ArrowDown");
      await page.press("Escape");
      await page.focusIsOn(FIELD);
      await page.until(written, "");
      await page.showsTexts(".search-hit");
    },
  },
];
