import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from "parse5";
import { UnreadablePage } from "./page-text.ts";

export type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

/** Large real pages have 30,000. The limit bounds the memory, since unclosed elements of some kinds multiply. */
const mostElements = 80_000;

/** So many words of a text are joined at a time. */
const mostPieces = 1_000;

/**
 * The tree of a document, as browsers build it. Scripting counts as on, so that `noscript` holds no elements: many pages have
 * a redirect there.
 */
export function parseHtml(html: string): DefaultTreeAdapterTypes.Document {
  let elements = 0;
  // Texts come word by word. Added to each other they would be trees of words, of several times their size.
  let open: { readonly node: DefaultTreeAdapterTypes.TextNode; readonly pieces: string[] } | undefined;
  const join = (): void => {
    if (open !== undefined) open.node.value += open.pieces.splice(0).join("");
  };
  const document = parse(closeEmptyElements(html), {
    scriptingEnabled: true,
    treeAdapter: {
      ...defaultTreeAdapter,
      createElement: (...args) => {
        elements += 1;
        if (elements > mostElements) {
          const most = mostElements.toLocaleString("en");
          throw new UnreadablePage("too_complex", `The page has more than ${most} elements.`);
        }
        return defaultTreeAdapter.createElement(...args);
      },
      createCommentNode: () => defaultTreeAdapter.createCommentNode(""),
      insertText(parent, text) {
        const last = parent.childNodes.at(-1);
        if (open === undefined || last !== open.node) {
          join();
          const node = defaultTreeAdapter.createTextNode("");
          defaultTreeAdapter.appendChild(parent, node);
          open = { node, pieces: [] };
        }
        open.pieces.push(text);
        if (open.pieces.length > mostPieces) join();
      },
      insertTextBefore(...args) {
        join();
        defaultTreeAdapter.insertTextBefore(...args);
      },
    },
  });
  join();
  return document;
}

/** XHTML closes any element with `/>`. Read as HTML, an empty `title` or `script` would swallow the rest of the page. */
function closeEmptyElements(html: string): string {
  if (!/^\s*<(\?xml|!doctype[^>]*xhtml)/i.test(html.slice(0, 1_000))) return html;
  return html.replaceAll(/<([a-z][\w:]*)((?:\s[^<>]*)?)\/>/gi, (whole, name: string, rest: string) =>
    voidElements.has(name.toLowerCase()) ? whole : `<${name}${rest}></${name}>`,
  );
}

const voidElements = setOf("area base br col embed hr img input link meta param source track wbr");

export function setOf(names: string): ReadonlySet<string> {
  return new Set(names.split(" "));
}

export interface TreeVisitor {
  /** Returns whether what is inside of the element is visited too; `leave` is called only then. */
  enter(element: Element): boolean;
  leave?(element: Element): void;
  text?(text: string): void;
}

/** Visits a tree of any depth without recursion. */
export function visitTree(root: DefaultTreeAdapterTypes.Document, visitor: TreeVisitor): void {
  const path: Element[] = [];
  const next = [0];
  for (let depth = 0; depth >= 0; depth = next.length - 1) {
    const parent = path[depth - 1];
    const at = next[depth] ?? 0;
    const node: Node | undefined = (parent ?? root).childNodes[at];
    next[depth] = at + 1;
    if (node === undefined) {
      next.pop();
      if (parent !== undefined) visitor.leave?.(parent);
      path.pop();
    } else if (defaultTreeAdapter.isTextNode(node)) {
      visitor.text?.(node.value);
    } else if (defaultTreeAdapter.isElementNode(node) && visitor.enter(node)) {
      path.push(node);
      next.push(0);
    }
  }
}

/** What stands in an element itself, such as a title. */
export function textOf(element: Element): string {
  return element.childNodes.map((node) => (defaultTreeAdapter.isTextNode(node) ? node.value : "")).join("");
}

export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((each) => each.name === name)?.value;
}
