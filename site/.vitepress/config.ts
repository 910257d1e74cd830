/** The documents as a static site. `write-pages.ts` has gathered its pages. */
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { defineConfig } from "vitepress";
import { headingAnchor } from "../../scripts/heading-anchor.mjs";

/** The repository's address, to which links lead that leave `docs/`, such as one to a source. Without it they are text. */
const repository = process.env["SITE_REPOSITORY"];

const workspace = join(import.meta.dirname, "..", "..");
const pages = join(import.meta.dirname, "..", ".pages");
const widget = join(workspace, "packages", "widget", "src");

/** The product's mark, as the widget draws it. */
const markPath = /d="([^"]+)"/.exec(readFileSync(join(widget, "ui", "primitives", "icon.tsx"), "utf8"))?.[1] ?? "";
const mark = (colour: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="${colour}" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"><path d="${markPath}"/></svg>`)}`;

const english = [
  {
    text: "Use",
    items: [
      { text: "Getting started", link: "/start" },
      { text: "Embedding", link: "/embedding" },
      { text: "Theming", link: "/theming" },
      { text: "Extending", link: "/extending" },
      { text: "Signed-in users", link: "/signed-in-users" },
    ],
  },
  {
    text: "Run",
    items: [
      { text: "Installing", link: "/install" },
      { text: "Configuration", link: "/configuration" },
      { text: "Models", link: "/models" },
      { text: "Tools of MCP servers", link: "/mcp" },
      { text: "Answers from your pages", link: "/knowledge" },
      { text: "Operating", link: "/operating" },
      { text: "As a library", link: "/library" },
      { text: "Scaling", link: "/scaling" },
      { text: "Security", link: "/security" },
      { text: "Privacy", link: "/privacy" },
      { text: "Troubleshooting", link: "/troubleshooting" },
    ],
  },
  {
    text: "Reference",
    items: [
      { text: "@nitka/widget", link: "/reference/widget" },
      { text: "The element", link: "/reference/element" },
      { text: "@nitka/widget/react", link: "/reference/react" },
      { text: "@nitka/server", link: "/reference/server" },
      { text: "Storages and models", link: "/reference/storages-and-models" },
      { text: "@nitka/desk", link: "/reference/desk" },
      { text: "@nitka/conformance", link: "/reference/conformance" },
      { text: "@nitka/ai-sdk", link: "/reference/ai-sdk" },
      { text: "@nitka/knowledge", link: "/reference/knowledge" },
      { text: "@nitka/protocol", link: "/reference/protocol" },
    ],
  },
  {
    text: "Build",
    items: [
      { text: "Protocol", link: "/protocol" },
      { text: "Own backend", link: "/own-backend" },
      { text: "Architecture", link: "/architecture" },
      { text: "Glossary", link: "/glossary" },
      { text: "Benchmarks", link: "/benchmarks" },
      { text: "Comparison", link: "/comparison" },
      { text: "Specification", link: "/specification" },
      { text: "Decisions", link: "/decisions/README" },
    ],
  },
];

const russian = [
  {
    text: "Начало",
    items: [
      { text: "Запуск", link: "/ru/start" },
      { text: "Встраивание", link: "/ru/embedding" },
      { text: "Оформление", link: "/ru/theming" },
      { text: "Установка", link: "/ru/install" },
      { text: "Настройка", link: "/ru/configuration" },
      { text: "Эксплуатация", link: "/ru/operating" },
      { text: "Сервер как библиотека", link: "/ru/library" },
      { text: "Модели", link: "/ru/models" },
      { text: "Инструменты MCP", link: "/ru/mcp" },
      { text: "Ответы по страницам", link: "/ru/knowledge" },
      { text: "Вошедшие посетители", link: "/ru/signed-in-users" },
      { text: "Сравнение", link: "/ru/comparison" },
      { text: "Персональные данные", link: "/ru/privacy" },
      { text: "Если не работает", link: "/ru/troubleshooting" },
    ],
  },
  {
    text: "Подробно (по-английски)",
    collapsed: true,
    items: english.flatMap(({ items }) => items).filter(({ link }) => link !== "/start"),
  },
];

const russianSearch = {
  button: { buttonText: "Поиск", buttonAriaLabel: "Поиск" },
  modal: {
    noResultsText: "Ничего не нашлось:",
    resetButtonTitle: "Очистить",
    footer: { selectText: "открыть", navigateText: "выбрать", closeText: "закрыть" },
  },
};

export default defineConfig({
  srcDir: ".pages",
  outDir: join(import.meta.dirname, "..", "dist"),
  cacheDir: join(import.meta.dirname, "..", "node_modules", ".cache"),
  title: "Nitka",
  description: "An AI chat assistant that any website can embed",
  cleanUrls: true,
  // A link that leads nowhere stops the build. Those to the reader's own machine lead to what the page has started.
  ignoreDeadLinks: "localhostLinks",
  head: [["link", { rel: "icon", href: mark("#2b8068") }]],
  locales: {
    root: {
      label: "English",
      lang: "en",
      themeConfig: {
        nav: [
          { text: "Documents", link: "/start", activeMatch: "^/(?!ru/|reference|$)" },
          { text: "Reference", link: "/reference/widget", activeMatch: "^/reference/" },
        ],
        sidebar: english,
      },
    },
    ru: {
      label: "Русский",
      lang: "ru",
      description: "Чат с ИИ-ассистентом для любого сайта",
      themeConfig: {
        nav: [{ text: "Документы", link: "/ru/start", activeMatch: "^/ru/." }],
        sidebar: russian,
        outline: { label: "На этой странице" },
        docFooter: { prev: "Назад", next: "Дальше" },
        darkModeSwitchLabel: "Оформление",
        sidebarMenuLabel: "Разделы",
        returnToTopLabel: "Наверх",
      },
    },
  },
  themeConfig: {
    logo: { light: mark("#2b8068"), dark: mark("#67c9a8"), alt: "" },
    search: { provider: "local", options: { locales: { ru: { translations: russianSearch } } } },
    outline: { level: [2, 3] },
  },
  markdown: {
    // The anchors that links in the repository use.
    anchor: { slugify: headingAnchor },
    config: (markdown) => {
      const follow = markdown.renderer.rules.link_open;
      markdown.renderer.rules.link_open = (tokens, index, options, env: { readonly path?: string }, self) => {
        const token = tokens[index];
        const [path = "", anchor] = (token?.attrGet("href") ?? "").split("#");
        const target = join(dirname(env.path ?? pages), path);
        const isOutside = /^\.\.?\//.test(path) && relative(pages, target).startsWith("..");
        if (!token || !isOutside)
          return follow?.(tokens, index, options, env, self) ?? self.renderToken(tokens, index, options);
        const inside = relative(workspace, join(workspace, "docs", relative(pages, target))).replaceAll("\\", "/");
        if (repository !== undefined) {
          token.attrSet("href", `${repository}/blob/main/${inside}${anchor === undefined ? "" : `#${anchor}`}`);
          return self.renderToken(tokens, index, options);
        }
        const close = tokens.slice(index).find(({ type }) => type === "link_close");
        for (const each of [token, close]) if (each) each.tag = "span";
        token.attrs = [["title", inside]];
        return self.renderToken(tokens, index, options);
      };
    },
  },
});
