/** How screen readers announce lists and links. */
import { textEvents } from "../backend.ts";
import { dataUrl, png, text } from "../files.ts";
import { expect, test } from "../fixtures.ts";

// In Safari an element with `none` as its marker is not a list. Empty markers look the same.
test("no list outside the navigation has the markers with which Safari does not treat it as a list", async ({
  chat,
}) => {
  const sources = [1, 2].map((id) => ({
    type: "source-url",
    sourceId: String(id),
    url: `https://example.com/${id}`,
    title: `Источник ${id}`,
  }));
  await chat.seed({ title: "Разговор", turns: [["Вопрос", () => [...textEvents("- раз\n- [ ] два"), ...sources]]] });
  await chat.open();
  const checked = new Set<string>();
  const check = async () => {
    const lists = await chat.root.locator("ul, ol").evaluateAll((all) =>
      all.map((list) => ({
        name: list.className || (list.parentElement?.className ?? ""),
        isTold: list.role === "list" || list.closest("nav") !== null || getComputedStyle(list).listStyleType !== "none",
      })),
    );
    for (const { name, isTold } of lists) {
      checked.add(name);
      expect([name, isTold]).toEqual([name, true]);
    }
  };
  await chat.answers.getByRole("button", { name: "2 источника" }).click();
  await expect(chat.answers.locator(".source-list")).toBeVisible();
  await check();
  await chat.root.locator("input[type=file]").setInputFiles([png(), text()]);
  await expect(chat.attachments).toHaveCount(2);
  await check();
  await chat.ask("С файлами");
  await expect(chat.questions.last().locator(chat.attachmentTile)).toHaveCount(2);
  await chat.idle();
  await check();
  await chat.newThread();
  await expect(chat.root.locator(".suggestions")).toBeVisible();
  await check();
  expect([...checked]).toEqual(expect.arrayContaining(["source-list", "attachments", "suggestions", "thread-group"]));
});

test("a link that opens a new tab says so, and one that saves a file or stays in the answer does not", async ({
  chat,
}) => {
  const answer = "[Страница](https://example.com/a) и https://example.com/b, сноска[^1]\n\n[^1]: Текст.";
  const events = [
    ...textEvents(answer),
    { type: "source-url", sourceId: "s", url: "https://example.com/c", title: "Источник" },
    { type: "file", url: dataUrl(text()), mediaType: "text/plain", filename: "заметка.txt" },
    { type: "file", url: "https://elsewhere.example/x.png", mediaType: "image/png", filename: "х.png" },
  ];
  await chat.seed({ title: "Разговор", turns: [["Вопрос", () => events]] });
  await chat.open();
  await chat.answers.getByRole("button", { name: "1 источник" }).click();
  await expect(chat.answers.locator("a.source")).toBeVisible();
  await expect(chat.answers.locator("a.file-part")).toBeVisible();
  const links = await chat.root.locator("a").evaluateAll((all) =>
    all.map((link) => {
      const root = link.getRootNode() as ShadowRoot;
      const told = root.getElementById(link.getAttribute("aria-describedby") ?? "")?.textContent;
      const opensTab = link instanceof HTMLAnchorElement && link.target === "_blank" && !link.download;
      return [link.textContent.trim(), told === "Откроется в\u00a0новой вкладке", opensTab];
    }),
  );
  expect(links.filter(([, , opensTab]) => opensTab)).not.toHaveLength(0);
  expect(links.filter(([, told, opensTab]) => told !== opensTab)).toEqual([]);
  const page = chat.answers.getByRole("link", { name: "Страница", exact: true });
  await expect(page).toHaveAccessibleDescription("Откроется в новой вкладке");
  // It is announced, but neither visible nor copied.
  await expect(chat.answers).not.toContainText("вкладке");
  await expect(chat.root.getByText("вкладке")).toBeHidden();
});
