import type { DefaultTreeAdapterTypes } from "parse5";
import { attribute, type Element, setOf, visitTree } from "./html-tree.ts";

/** What stands in one element: letters alone count, neither numbers of chapters nor what separates links. */
interface Measure {
  letters: number;
  headingLetters: number;
  linkLetters: number;
  links: number;
  /** Paragraphs, headings, code and tables. */
  structure: number;
  longestCell: number;
  isMain: boolean;
}

export interface Furniture {
  /** Whether the element and all in it is left out. */
  isLeftOut(element: Element): boolean;
  /** Whether the table lays a page out, rather than holding rows of data. */
  isLayout(table: Element): boolean;
  /** How many letters a visitor sees, with those of links. */
  readonly letters: number;
}

const never = setOf(
  "head script style template noscript iframe object embed svg canvas audio video map nav footer select textarea input datalist label legend dialog search menu",
);
const roles = setOf("navigation banner contentinfo search menu menubar toolbar dialog alertdialog");
const containers = setOf("div section aside ul ol dl table tbody tr td center details p span blockquote");
const navigationWords = setOf(
  "nav navbar navi navigation navheader navfooter menu submenu menubar breadcrumb breadcrumbs crumbs pager pagination toc sidebar topbar toolbar footer related",
);
const hiddenStyle = /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
const gutter = /(?:^|[\s_-])(?:linenos?|lineno|gutter|line-numbers|mw-editsection|headerlink)(?:$|[\s_-])/i;
/** What visitors have written below a page, by the names of WordPress: the site says none of it. */
const comments = /(?:^|\s)(?:wp-block-comments|comments-area|comment-?list)(?:$|\s)/i;

export const headingLevel = (element: Element): number => Number(/^h([1-6])$/.exec(element.tagName)?.[1] ?? 0);

/**
 * Tells a page's text from what stands around it on every page. Most of it is told by its element or role. Navigation that is
 * a `div`, a list or a table is told by the share of links in it, more so where its class or id says what it is.
 */
export function findFurniture(document: DefaultTreeAdapterTypes.Document): Furniture {
  const leftOut = new Set<Element>();
  const layouts = new Set<Element>();
  const forms: { readonly element: Element; readonly measure: Measure }[] = [];
  const open: Measure[] = [emptyMeasure()];
  const inside = { article: 0, header: 0, heading: 0, question: 0, link: 0 };
  const count = (element: Element, by: 1 | -1): void => {
    const { tagName } = element;
    if (tagName === "article" || tagName === "main" || attribute(element, "role") === "main") inside.article += by;
    if (tagName === "header") inside.header += by;
    if (headingLevel(element) > 0) inside.heading += by;
    if (tagName === "summary" || tagName === "dt") inside.question += by;
    if (tagName === "a" && attribute(element, "href") !== undefined) inside.link += by;
  };

  visitTree(document, {
    enter(element) {
      if (isNeverText(element, inside)) {
        leftOut.add(element);
        return false;
      }
      count(element, 1);
      open.push(emptyMeasure());
      return true;
    },
    leave(element) {
      count(element, -1);
      const measure = open.pop() ?? emptyMeasure();
      const { tagName } = element;
      if (tagName === "form") forms.push({ element, measure });
      // A table with headings, code or other tables in it, or with long cells, holds no rows of data.
      if (tagName === "table" && measure.longestCell > 1_000) layouts.add(element);
      if (isMostlyLinks(element, measure)) leftOut.add(element);
      if (tagName === "a" && attribute(element, "href") !== undefined) measure.links += 1;
      if (headingLevel(element) > 0 || ["p", "pre", "table"].includes(tagName)) measure.structure += 1;
      if (tagName === "pre" || tagName === "table" || headingLevel(element) > 0) measure.longestCell = Infinity;
      if (tagName === "td" || tagName === "th") measure.longestCell = Math.max(measure.longestCell, measure.letters);
      if (["main", "article", "h1"].includes(tagName)) measure.isMain = true;
      const parent = open.at(-1);
      if (parent !== undefined) addMeasure(parent, measure);
    },
    text(text) {
      const measure = open.at(-1);
      if (measure === undefined || (inside.header > 0 && inside.heading === 0)) return;
      const letters = countLetters(text);
      measure.letters += letters;
      if (inside.heading > 0) measure.headingLetters += letters;
      else if (inside.link > 0) measure.linkLetters += letters;
    },
  });

  const total = open[0]?.letters ?? 0;
  // Some frameworks put a whole page into one form.
  for (const { element, measure } of forms) {
    if (!measure.isMain && !(measure.letters > total / 2 && measure.structure > 0)) leftOut.add(element);
  }
  return {
    isLeftOut: (element) => leftOut.has(element),
    isLayout: (table) => layouts.has(table),
    letters: total,
  };
}

function isNeverText(element: Element, inside: Readonly<Record<"article" | "heading" | "question", number>>): boolean {
  const { tagName } = element;
  if (never.has(tagName)) return true;
  // The question of a folded answer is often a button.
  if (tagName === "button") return inside.heading + inside.question === 0;
  // The header of an article holds its heading; `text` leaves out what stands beside it.
  if (tagName === "header" && inside.article === 0) return true;
  if (attribute(element, "data-nitka-ignore") !== undefined || attribute(element, "aria-hidden") === "true")
    return true;
  if ((attribute(element, "hidden") ?? "until-found") !== "until-found") return true;
  if (roles.has(attribute(element, "role") ?? "") || hiddenStyle.test(attribute(element, "style") ?? "")) return true;
  const classes = attribute(element, "class") ?? "";
  return gutter.test(classes) || comments.test(classes);
}

function isMostlyLinks(element: Element, measure: Measure): boolean {
  if (!containers.has(element.tagName)) return false;
  const share = measure.linkLetters / Math.max(measure.letters - measure.headingLetters, 1);
  const words = `${attribute(element, "class") ?? ""} ${attribute(element, "id") ?? ""}`.toLowerCase().split(/[^a-z]+/);
  if (words.some((word) => navigationWords.has(word))) return measure.links >= 1 && share >= 0.4;
  return !["p", "span", "blockquote", "tr", "td"].includes(element.tagName) && measure.links >= 3 && share >= 0.75;
}

/** Roughly, and without memory for each word: signs below U+00C0 and the blocks of punctuation and arrows are no letters. */
function countLetters(text: string): number {
  let letters = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const small = code | 32;
    if ((small >= 97 && small <= 122) || (code >= 0xc0 && (code < 0x2000 || code >= 0x2c00))) letters += 1;
  }
  return letters;
}

function emptyMeasure(): Measure {
  return { letters: 0, headingLetters: 0, linkLetters: 0, links: 0, structure: 0, longestCell: 0, isMain: false };
}

function addMeasure(parent: Measure, child: Measure): void {
  for (const sum of ["letters", "headingLetters", "linkLetters", "links", "structure"] as const)
    parent[sum] += child[sum];
  parent.longestCell = Math.max(parent.longestCell, child.longestCell);
  parent.isMain ||= child.isMain;
}
