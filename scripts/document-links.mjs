import { dirname, join } from "node:path";
import { headingAnchor } from "./heading-anchor.mjs";

/**
 * @typedef {object} Files
 * @property {(path: string) => string} read
 * @property {(path: string) => boolean} exists
 */

/**
 * The links and pictures of a document, in markdown and in HTML, that lead to no file or no heading. Links to other sites are
 * not checked.
 *
 * @param {string} path of the document
 * @param {Files} files
 * @returns {string[]}
 */
export function brokenLinks(path, { read, exists }) {
  return linksIn(read(path)).filter((link) => {
    const [file = "", anchor] = link.split("#");
    const target = file === "" ? path : join(dirname(path), file);
    return !exists(target) || (anchor !== undefined && !anchorsIn(read(target)).has(anchor));
  });
}

/** @param {string} text */
function linksIn(text) {
  const prose = withoutCode(text).replaceAll(/`[^`\n]*`/g, "");
  const patterns = [
    // [text](link "title"), also for a picture
    /\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g,
    // [name]: link
    /^\[[^\]]+\]:\s+<?([^\s>]+)>?/gm,
    // <img src="link">, <a href="link">, <source srcset="link">
    /<[a-z][^>]*?\s(?:src|href|srcset)="([^"\s]+)[^"]*"/g,
  ];
  return patterns
    .flatMap((pattern) => [...prose.matchAll(pattern)].map(([, link = ""]) => link))
    .filter((link) => !/^[a-z]+:/.test(link));
}

/**
 * If several headings have the same text, the later ones get a number.
 *
 * @param {string} text
 */
function anchorsIn(text) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  const anchors = [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => {
    const anchor = headingAnchor(heading);
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
  return new Set(anchors);
}

/** @param {string} text */
function withoutCode(text) {
  return text.replaceAll(/^( *)```[^]*?^\1```$/gm, "");
}
