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
    if (typeof word !== "string") fillElement(node as Element, word);
    else if (node.nodeValue !== word) node.nodeValue = word;
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}
