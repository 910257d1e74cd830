import type { StaticElement } from "./markup.ts";

/**
 * Changes an element of the page to match its markup, without React. Nodes that fit already are kept: a line that is being
 * written grows in its existing nodes, and the visitor's selection in it is kept. See markup.ts for why React does not do this.
 *
 * @example
 * // Before: <p>Hello <em>wor</em></p>
 * const em = { tag: "em", attributes: {}, children: ["world"] };
 * patchElement(p, { tag: "p", attributes: {}, children: ["Hello ", em, "!"] });
 * // After: <p>Hello <em>world</em>!</p>, in which «Hello » and the <em> are the same nodes as before
 */
export function patchElement(element: Element, { attributes, children }: StaticElement): void {
  for (const [name, value] of Object.entries(attributes)) {
    const attribute = name === "className" ? "class" : name;
    if (value === undefined) element.removeAttribute(attribute);
    else if (element.getAttribute(attribute) !== String(value)) element.setAttribute(attribute, String(value));
  }
  /** The first of the old nodes that is not matched yet. */
  let old = element.firstChild;
  for (const child of children) {
    const name = typeof child === "string" ? "#text" : child.tag;
    let node = old;
    if (node?.nodeName.toLowerCase() === name) old = node.nextSibling;
    else node = element.insertBefore(name === "#text" ? new Text() : document.createElement(name), old);
    if (typeof child === "string") patchText(node as Text, child);
    else patchElement(node as Element, child);
  }
  while (element.childNodes.length > children.length) element.lastChild?.remove();
}

/** Changes a text node's text. If the new text only adds to the old one, the old characters are not replaced. */
export function patchText(text: Text, whole: string): void {
  const kept = whole.startsWith(text.data) ? text.length : 0;
  if (whole !== text.data) text.replaceData(kept, text.length, whole.slice(kept));
}
