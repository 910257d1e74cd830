import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the demo shop's help pages, which its assistant knows. */
export const helpFolder = fileURLToPath(new URL("../../pages/demo/help", import.meta.url));

/** The address of these files, on the program's own origin. */
export const HELP_PATH = "/demo/help/";

/**
 * The origin under which the help pages are stored. The program does not know its own origin, so it removes this one
 * from their addresses.
 */
export const HELP_ORIGIN = "https://cherepok.example";

const words = {
  ru: { shop: "Черепок", about: "мастерская чайной посуды", pages: "Помощь" },
  en: { shop: "Cherepok", about: "dishes for tea, made by hand", pages: "Help" },
};

/** A help page: the values of its template. */
export interface HelpPage {
  readonly language: "ru" | "en";
  readonly title: string;
  readonly shop: string;
  readonly about: string;
  readonly pages: string;
  /** The HTML of the links to the pages of the same language. */
  readonly links: string;
  /** The HTML of the page. */
  readonly content: string;
}

/** The pages of the demo shop's help, by their paths. */
export function readHelpPages(): ReadonlyMap<string, HelpPage> {
  return new Map(
    (["ru", "en"] as const).flatMap((language) => {
      const folder = language === "ru" ? helpFolder : join(helpFolder, language);
      const pages = readdirSync(folder)
        .filter((name) => name.endsWith(".html"))
        .map((name) => {
          const content = readFileSync(join(folder, name), "utf8");
          const path = `${HELP_PATH}${language === "ru" ? "" : `${language}/`}${name}`;
          return { path, content, title: /<h1>(.+?)<\/h1>/.exec(content)?.[1] ?? "" };
        });
      return pages.map(({ path, content, title }) => {
        const links = pages
          .map((each) => `<a href="${each.path}"${each.path === path ? ' aria-current="page"' : ""}>${each.title}</a>`)
          .join("");
        return [path, { language, title, content, links, ...words[language] }] as const;
      });
    }),
  );
}
