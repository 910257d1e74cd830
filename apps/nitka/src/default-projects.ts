import { HELP_ORIGIN, HELP_PATH, helpFolder } from "./knowledge/help-pages.ts";
import type { ProjectFile } from "./projects.ts";

/** The id of the demo shop's project. */
const SHOP = "demo";

/**
 * The projects without a config file: that of the full page, and that of the demo shop unless the pages are switched
 * off.
 */
export function defaultProjects({ pages }: { readonly pages: boolean }): ProjectFile {
  return { default: {}, ...(pages && shop) };
}

const shop: ProjectFile = {
  [SHOP]: {
    title: "Черепок",
    titleUrl: "/demo/launcher",
    greeting: { title: "Здравствуйте!", subtitle: "Помогу выбрать посуду и\u00A0соберу корзину" },
    suggestions: [
      { title: "Что у вас есть до 1500 рублей?", prompt: "Что у вас есть до 1500 рублей?" },
      { title: "Положи в корзину синюю кружку", prompt: "Положи в корзину синюю кружку" },
    ],
    instructions:
      "You are the assistant of «Черепок», a small workshop that makes dishes for tea. Answer in the visitor's language, " +
      "briefly and warmly. What the shop sells, the prices and the visitor's basket are in the page context: name no " +
      "others. What its help pages say (delivery, returns, care, sizes, …) you look up. Change the basket and make orders with the page's tools alone. The page asks the visitor itself before " +
      "it does: do not ask twice. When the visitor declines, leave it at that.",
    knowledge: { sources: [{ folder: helpFolder, url: `${HELP_ORIGIN}${HELP_PATH}` }], every: "24h" },
    feedbackUrl: false,
    followUps: true,
  },
};

/** The project of the full page: `default`, otherwise the first project. */
export function fullPageProject(projects: ProjectFile): string {
  return Object.hasOwn(projects, "default") ? "default" : (Object.keys(projects)[0] ?? "default");
}

/** The project of the demo shop: its own if it exists, otherwise that of the full page. */
export function shopProject(projects: ProjectFile): string {
  return Object.hasOwn(projects, SHOP) ? SHOP : fullPageProject(projects);
}
