/** What each store promises, and that a search finds the same in each. */
import { expect, it } from "vitest";
import { createKnowledge } from "./create-knowledge.ts";
import { embedPassages } from "./search/search-meaning.ts";
import type { KnowledgeStore, PageContent } from "./store/knowledge-store.ts";
import { gramsOf } from "./words/likeness.ts";

const page = (url: string) => ({ url, source: "s", digest: `digest of ${url}`, readAt: 5 });

const delivery: PageContent = {
  title: "Доставка",
  language: "ru",
  passages: [
    { headings: [], text: "Отправляем посуду по всей России." },
    { headings: ["По Москве"], anchor: "moscow", text: "Курьер привезёт заказ за два дня." },
  ],
};
const returns: PageContent = {
  title: "Возврат",
  passages: [
    {
      headings: ["Как вернуть"],
      text: "Напишите нам, и мы пришлём ярлык. Флаг --no-fonts и класс FileExists. Compiled, monitored.",
    },
  ],
};

const { signal } = new AbortController();

export function describeKnowledgeStore(open: () => Promise<KnowledgeStore>): void {
  const withStore = async (work: (store: KnowledgeStore) => Promise<void>) => {
    const store = await open();
    try {
      await work(store);
    } finally {
      await store.close();
    }
  };
  const search = async (store: KnowledgeStore, question: string) =>
    (await createKnowledge({ store, projectId: "p" }).search(question, { limit: 5, signal })).map(({ url }) => url);

  it("keeps a page with its passages, in their order", async () =>
    withStore(async (store) => {
      await store.putPage(
        "p",
        { ...page("https://a.example/d"), etag: "e", listedAs: "https://a.example/x" },
        delivery,
      );
      expect(await store.page("p", "https://a.example/d")).toEqual({
        ...page("https://a.example/d"),
        etag: "e",
        listedAs: "https://a.example/x",
        title: "Доставка",
        passages: 2,
        content: delivery,
      });
      expect(await store.page("other", "https://a.example/d")).toBeUndefined();
      await store.touchPages("p", [{ url: "https://a.example/d", readAt: 9, lastModified: "m" }]);
      expect(await store.knownPages("p")).toMatchObject([{ readAt: 9, etag: "e", lastModified: "m" }]);
    }));

  it("finds a page until it is replaced or removed, and in its project alone", async () =>
    withStore(async (store) => {
      await store.putPage("p", page("https://a.example/d"), delivery);
      await store.putPage("p", page("https://a.example/r"), returns);
      await store.putPage("q", page("https://b.example/d"), delivery);
      expect(await search(store, "когда привезет курьер")).toEqual(["https://a.example/d#moscow"]);
      await store.putPage("p", page("https://a.example/d"), returns);
      expect(await search(store, "когда привезет курьер")).toEqual([]);
      await store.removePages("p", ["https://a.example/d", "https://a.example/r"]);
      expect(await search(store, "ярлык")).toEqual([]);
      const known = async (project: string) => {
        const { size, counts } = await store.index.vocabulary(project, ["курьер", "ярлык"]);
        const [similar] = await store.index.similar(project, [gramsOf("курьер")]);
        return { size, words: [...counts.keys()], similar: [...(similar?.keys() ?? [])] };
      };
      expect(await known("p")).toEqual({ size: 0, words: [], similar: [] });
      expect(await known("q")).toEqual({ size: 2, words: ["курьер"], similar: ["курьер"] });
      await store.keepProjects(["p"]);
      expect(await known("q")).toEqual({ size: 0, words: [], similar: [] });
    }));

  it("finds a page once that has several addresses, and the answer of another page beside it", async () =>
    withStore(async (store) => {
      const copies = Array.from({ length: 8 }, (_, at) => `https://a.example/d?size=${at}`);
      for (const url of copies) await store.putPage("p", page(url), delivery);
      const other = { title: "Курьеры", passages: [{ headings: [], anchor: "all", text: "Наши курьеры и сроки." }] };
      await store.putPage("p", page("https://a.example/c"), other);
      const found = await search(store, "курьер");
      expect(found.toSorted()).toEqual(["https://a.example/c#all", "https://a.example/d?size=0#moscow"]);
    }));

  it("never gives an id again, because a search that is under way may still hold it", async () =>
    withStore(async (store) => {
      const ids = async () => (await store.passagesToEmbed("p", "m", 10)).map(({ id }) => id);
      await store.putPage("p", page("https://a.example/d"), delivery);
      const first = await ids();
      await store.putPage("p", page("https://a.example/d"), delivery);
      const second = await ids();
      await store.removePages("p", ["https://a.example/d"]);
      await store.putPage("p", page("https://a.example/r"), delivery);
      expect(new Set([...first, ...second, ...(await ids())]).size).toBe(6);
    }));

  it.each([
    ["names as they are written", "--no-fonts", 1],
    ["names without their capitals", "fileexists", 1],
    ["a word with a typing error", "курьор", 1],
    ["a word whose wrong letter hides its stem", "complation", 1],
    ["a word whose letters are swapped between stem and ending", "monitoirng", 1],
    ["a foreign name in Cyrillic", "фонтс", 1],
    ["two words that were written as one", "курьерпривезет", 1],
    ["a word that was written as two", "отправ ляем", 1],
    ["the other keyboard layout", "rehmth", 1],
    ["nothing for words that no page has", "квантовая хромодинамика", 0],
  ])("finds %s", async (_, question, count) =>
    withStore(async (store) => {
      await store.putPage("p", page("https://a.example/d"), delivery);
      await store.putPage("p", page("https://a.example/r"), returns);
      expect(await search(store, question)).toHaveLength(count);
    }),
  );

  it("finds words of the same family, after the word itself", async () =>
    withStore(async (store) => {
      const of = (text: string): PageContent => ({ title: "", passages: [{ headings: [], anchor: "a", text }] });
      await store.putPage("p", page("https://a.example/1"), of("Как переименовать файлы."));
      await store.putPage("p", page("https://a.example/2"), of("Групповое переименование."));
      expect(await search(store, "переименование")).toEqual(["https://a.example/2#a", "https://a.example/1#a"]);
    }));

  it.each([
    ["of a verb and its noun", "удаляет", ["Удаление писем.", "Писем нет."]],
    ["of the other aspect", "покажите", ["Показывать адрес.", "Нет адреса."]],
    ["of the same meaning", "стереть файл", ["Удаление файлов.", "Файлы друзей."]],
    ["of the same meaning in English", "erase it", ["Deleting mail.", "Writing mail."]],
    ["of the same meaning as one that no page has", "стереть", ["Удаление писем.", "Писем нет."]],
  ])("finds words %s", async (_, question, [answer = "", other = ""]) =>
    withStore(async (store) => {
      const of = (text: string): PageContent => ({ title: "", passages: [{ headings: [], anchor: "a", text }] });
      await store.putPage("p", page("https://a.example/1"), of(other));
      await store.putPage("p", page("https://a.example/2"), of(answer));
      expect((await search(store, question))[0]).toBe("https://a.example/2#a");
    }),
  );

  it("finds the word itself before rarer ones of its family and its meaning, and does not count it as rare for them", async () =>
    withStore(async (store) => {
      const texts = [
        "Удалить письмо.",
        "Удалить файл.",
        "Удалить запись.",
        "Удаление.",
        "Стереть.",
        "Адрес.",
        "Адрес.",
      ];
      for (const [at, text] of texts.entries())
        await store.putPage("p", page(`https://a.example/${at}`), {
          title: "",
          passages: [{ headings: [], anchor: "a", text }],
        });
      const places = async (question: string) => (await search(store, question)).map((url) => Number(url.at(-3)));
      expect((await places("удалить")).slice(0, 4)).toEqual([0, 1, 2, 3]);
      expect((await places("удалить адрес"))[0]).toBe(5);
    }));

  it("finds frequent words beside rare ones, and of thousands of passages with a word those that have most of it", async () =>
    withStore(async (store) => {
      const of = (text: string, count = 1): PageContent => ({
        title: "",
        passages: Array.from({ length: count }, () => ({ headings: [], anchor: "a", text })),
      });
      await store.putPage("p", page("https://a.example/1"), of("Доставка, и оплата.", 6100));
      await store.putPage("p", page("https://a.example/2"), of("Настройка рояля."));
      await store.putPage("p", page("https://a.example/3"), of("Доставка рояля."));
      await store.putPage("p", page("https://a.example/4"), of("Доставка. Доставки, доставку: о доставке."));
      const places = async (question: string) => (await search(store, question)).map((url) => Number(url.at(-3)));
      expect(await places("доставка рояля")).toEqual([3, 2]);
      expect(await places("доставка")).toEqual([4, 3, 1, 1]);
    }));

  it("leads to an element by its id, and else to words of the page", async () =>
    withStore(async (store) => {
      await store.putPage("p", page("https://a.example/d"), delivery);
      await store.putPage("p", page("https://a.example/r"), { ...returns, title: "Вернуть, как-то" });
      expect(await search(store, "курьер")).toEqual(["https://a.example/d#moscow"]);
      expect(await search(store, "ярлык")).toEqual([
        `https://a.example/r#:~:text=${encodeURIComponent("Напишите нам, и мы пришлём ярлык. Флаг ")}%2D%2Dno%2Dfonts`,
      ]);
      const text = "Гарантия | два года";
      await store.putPage("p", page("https://a.example/w"), { title: "", passages: [{ headings: ["Срок"], text }] });
      await store.putPage("p", page("https://a.example/w.pdf"), {
        title: "",
        passages: [{ headings: [], anchor: "page=3", text }],
      });
      expect((await search(store, "гарантия")).toSorted()).toEqual([
        `https://a.example/w#:~:text=${encodeURIComponent("Гарантия")}`,
        "https://a.example/w.pdf#page=3",
      ]);
    }));

  it("finds by meaning what has none of the words, and by words alone while there is no vector of the question", async () =>
    withStore(async (store) => {
      await store.putPage("p", page("https://a.example/d"), delivery);
      await store.putPage("p", page("https://a.example/r"), returns);
      let isDown = false;
      const embeddings = {
        model: "m",
        embed: async (texts: readonly string[]) => {
          if (isDown) throw new Error("down");
          return Promise.resolve(texts.map((text) => Float32Array.from(/вернуть|назад/i.test(text) ? [0, 2] : [2, 0])));
        },
      };
      await embedPassages(store, "p", embeddings, signal);
      expect(await store.passagesToEmbed("p", "m", 9)).toEqual([]);
      expect(await store.passagesToEmbed("p", "other", 9)).toHaveLength(3);
      const knowledge = createKnowledge({ store, projectId: "p", embeddings });
      const found = await knowledge.search("отдать назад", { limit: 5, signal });
      expect(found.map(({ title }) => title)).toEqual(["Возврат"]);
      isDown = true;
      expect(await knowledge.search("курьер", { limit: 5, signal })).toHaveLength(1);
    }));

  it("gives a project's reading to one holder at a time, and keeps its result", async () =>
    withStore(async (store) => {
      expect(await store.leaseReading("p", "one", 60_000)).toBe(true);
      expect(await store.leaseReading("p", "two", 60_000)).toBe(false);
      expect(await store.leaseReading("p", "one", -1)).toBe(true);
      expect(await store.leaseReading("p", "two", 60_000)).toBe(true);
      const counts = { new: 1, changed: 0, unchanged: 0, gone: 0 };
      const lists = { failed: [], skipped: [], unread: [], heldBack: [] };
      const result = { startedAt: 1, endedAt: 2, ...counts, ...lists };
      await store.endReading("p", "one", result);
      expect(await store.lastReading("p")).toBeUndefined();
      await store.endReading("p", "two", result);
      expect(await store.lastReading("p")).toEqual(result);
      expect(await store.leaseReading("p", "one", 60_000)).toBe(true);
    }));

  it("keeps what the pages of a source have in common", async () =>
    withStore(async (store) => {
      expect(await store.boilerplate("p", "s")).toBeUndefined();
      await store.putBoilerplate("p", "s", ["a", "b"]);
      await store.putBoilerplate("p", "s", ["c"]);
      expect(await store.boilerplate("p", "s")).toEqual(["c"]);
    }));

  it("stores any text", async () =>
    withStore(async (store) => {
      const odd = "Ноль \0, половина \ud800, кавычки ' \" и \\u0000";
      await store.putPage("p", page("https://a.example/d"), {
        title: odd,
        passages: [{ headings: [odd], text: odd }],
      });
      expect(await search(store, "половина")).toHaveLength(1);
    }));
}
