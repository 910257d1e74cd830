import type { PlainElement } from "./words.ts";

/**
 * Makes an element what it is told, which React leaves alone. What is there already stays: a line that is being written
 * grows in the nodes that it has. A long answer has thousands of these, and React's own note of each weighs more than
 * the words.
 */
export function fillElement(element: Element, { attributes, words }: PlainElement): void {
  for (const [name, value] of Object.entries(attributes)) {
    const attribute = name === "className" ? "class" : name;
    if (value === undefined) element.removeAttribute(attribute);
    else if (element.getAttribute(attribute) !== String(value)) element.setAttribute(attribute, String(value));
  }
  let at = element.firstChild;
  for (const word of words) {
    const name = typeof word === "string" ? "#text" : word.tag;
    let node = at;
    if (node?.nodeName.toLowerCase() === name) at = node.nextSibling;
    else node = element.insertBefore(name === "#text" ? new Text() : document.createElement(name), at);
    if (typeof word === "string") writeText(node as Text, word);
    else fillElement(node as Element, word);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

/** Makes a text what it is told. One that grows is added to: what a visitor has selected in it stays selected. */
export function writeText(text: Text, whole: string): void {
  const kept = whole.startsWith(text.data) ? text.length : 0;
  if (whole !== text.data) text.replaceData(kept, text.length, whole.slice(kept));
}
