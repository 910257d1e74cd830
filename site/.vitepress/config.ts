/** The documents as a static site: `npm ci && npm run build` in this folder. The pages are those of `docs/`. */
import { dirname, join, relative } from "node:path";
import { defineConfig } from "vitepress";

/** The repository's address, to which links lead that leave `docs/`, such as one to a source. Without it they are text. */
const repository = process.env["SITE_REPOSITORY"];

const workspace = join(import.meta.dirname, "..", "..");
const docs = join(workspace, "docs");

/** The widget's green. */
const colours = `
:root { --vp-c-brand-1: #1f7a60; --vp-c-brand-2: #2b8c70; --vp-c-brand-3: #1f7a60; --vp-c-brand-soft: rgb(31 122 96 / 14%) }
.dark { --vp-c-brand-1: #67c9a8; --vp-c-brand-2: #4fb894; --vp-c-brand-soft: rgb(103 201 168 / 16%) }
`;

const english = [
  {
    text: "Use",
    items: [
      { text: "Getting started", link: "/" },
      { text: "Embedding", link: "/embedding" },
      { text: "Theming", link: "/theming" },
      { text: "Extending", link: "/extending" },
    ],
  },
  {
    text: "Run",
    items: [
      { text: "Deploying", link: "/deploying" },
      { text: "Operating", link: "/operating" },
      { text: "Scaling", link: "/scaling" },
      { text: "Security", link: "/security" },
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
      { text: "Specification", link: "/specification" },
      { text: "Decisions", link: "/decisions/README" },
    ],
  },
];

const russian = [
  {
    text: "Начало",
    items: [
      { text: "Запуск", link: "/ru/" },
      { text: "Встраивание", link: "/ru/embedding" },
      { text: "Развёртывание", link: "/ru/deploying" },
    ],
  },
  { text: "Подробно (по-английски)", items: english.flatMap(({ items }) => items) },
];

export default defineConfig({
  srcDir: relative(join(import.meta.dirname, ".."), docs),
  outDir: join(import.meta.dirname, "..", "dist"),
  cacheDir: join(import.meta.dirname, "..", "node_modules", ".cache"),
  title: "Nitka",
  description: "An AI chat assistant that any website can embed",
  cleanUrls: true,
  // A link that leads nowhere stops the build. Those to the reader's own machine lead to what the page has started.
  ignoreDeadLinks: "localhostLinks",
  head: [["style", {}, colours]],
  locales: {
    root: { label: "English", lang: "en", themeConfig: { sidebar: english } },
    ru: {
      label: "Русский",
      lang: "ru",
      description: "Чат с ИИ-ассистентом для любого сайта",
      themeConfig: {
        sidebar: russian,
        outline: { label: "На этой странице" },
        docFooter: { prev: "Назад", next: "Дальше" },
        darkModeSwitchLabel: "Оформление",
        sidebarMenuLabel: "Разделы",
        returnToTopLabel: "Наверх",
      },
    },
  },
  themeConfig: { search: { provider: "local" }, outline: { level: [2, 3] } },
  markdown: {
    config: (markdown) => {
      const follow = markdown.renderer.rules.link_open;
      markdown.renderer.rules.link_open = (tokens, index, options, env: { readonly path?: string }, self) => {
        const token = tokens[index];
        const [path = "", anchor] = (token?.attrGet("href") ?? "").split("#");
        const target = join(dirname(env.path ?? docs), path);
        const isOutside = /^\.\.?\//.test(path) && relative(docs, target).startsWith("..");
        if (!token || !isOutside)
          return follow?.(tokens, index, options, env, self) ?? self.renderToken(tokens, index, options);
        const inside = relative(workspace, target).replaceAll("\\", "/");
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
