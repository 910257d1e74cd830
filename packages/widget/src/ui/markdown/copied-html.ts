/** The elements that are kept when an answer is copied, with their attributes. Other elements are replaced by their content. */
const kept: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    "p h3 h4 h5 h6 blockquote hr strong em del br ul li pre code table thead tbody tr th td sub sup kbd mark u"
      .split(" ")
      .map((tag) => [tag, []]),
  ),
  ol: ["start"],
  a: ["href"],
  img: ["src", "alt"],
};

/**
 * An answer as HTML for programs that do not read markdown: a table stays a table in a letter. It has the content of a
 * selection over the whole answer, without controls, and the source of formulas.
 *
 * @param answer the message
 * @returns `undefined` if the message has no markdown, or has a part that the host renders, whose markdown says more
 */
export function copiedHtml(answer: Element): string | undefined {
  // Content that can be folded, such as reasoning, does not belong to the answer's text.
  const texts = [...answer.querySelectorAll("[data-markdown]")].filter((text) => !text.closest("[data-open]"));
  if (texts.length === 0 || texts.some((text) => text.querySelector("slot"))) return undefined;
  const copy = document.createElement("div");
  copy.append(...texts.flatMap((text) => [...text.childNodes].flatMap(copied)));
  for (const { number, url, title } of citedSources(answer)) {
    const [line, link] = [document.createElement("p"), document.createElement("a")];
    link.href = url;
    link.textContent = title;
    line.append(`${number} `, link);
    copy.append(line);
  }
  return copy.innerHTML;
}

/** The sources that an answer cites by number, each once. */
export function citedSources(answer: Element) {
  const links = [...answer.querySelectorAll<HTMLAnchorElement>("[data-citation][href]")];
  const sources = new Map(links.map((link) => [`[${link.dataset["citation"]}]`, link]));
  return [...sources].map(([number, { href, ariaLabel }]) => {
    return { number, url: href, title: ariaLabel?.replace(/^[^:]*: /, "") ?? href };
  });
}

function copied(node: Node): readonly Node[] {
  if (node instanceof Text) return [node.cloneNode()];
  if (!(node instanceof HTMLElement) || node instanceof HTMLInputElement || !isSelected(node)) return [];
  const children = [...node.childNodes].flatMap(copied);
  const attributes = kept[node.localName];
  if (!attributes || node.matches("[role^=doc]")) return children;
  const element = document.createElement(node.localName);
  for (const name of attributes) {
    if (node.hasAttribute(name)) element.setAttribute(name, String(Reflect.get(node, name)));
  }
  // The box of a task precedes its text.
  const task = node.previousSibling;
  if (task instanceof HTMLInputElement) element.append(task.checked ? "☑ " : "☐ ");
  element.append(...children);
  return [element];
}

/** Whether a selection over an element copies it. Safari only has the prefixed property. */
function isSelected(element: HTMLElement): boolean {
  const style = getComputedStyle(element);
  return (style.userSelect || style.getPropertyValue("-webkit-user-select")) !== "none";
}
