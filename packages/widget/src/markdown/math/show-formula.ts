import temml from "temml";
import { readFormula } from "./read-formula.ts";

/** Characters of TeX. A longer formula is shown as its source. */
const MAX_LENGTH = 5000;

/** Selected with the text around it, but not seen. */
const SELECTED =
  "position:absolute;inline-size:1px;block-size:1px;overflow:clip;white-space:pre;user-select:all;-webkit-user-select:all";

/** A node of temml's tree: an element, a text, or a group of nodes. */
interface TreeNode {
  readonly type?: string;
  readonly text?: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly style?: Readonly<Record<string, unknown>>;
  readonly children?: readonly TreeNode[];
}

const tags = new Set(
  (
    "math mrow mi mo mn ms mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mmultiscripts " +
    "mprescripts none mtable mtr mtd mpadded mphantom menclose mstyle"
  ).split(" "),
);

const attributes = new Set(
  (
    "display displaystyle scriptlevel mathvariant stretchy fence separator lspace rspace minsize maxsize largeop " +
    "movablelimits symmetric accent accentunder width height depth voffset linethickness rowspacing columnspacing " +
    "columnalign rowalign columnlines rowlines columnspan rowspan notation form mathcolor mathbackground"
  ).split(" "),
);

/** temml's tree, before it makes elements or markup of it. Its types have it under another name than its code. */
const toTree = Reflect.get(temml, "__renderToMathMLTree") as (tex: string, options: temml.Options) => TreeNode;

/** None of them can load anything. Some can leave the formula's own box, which is clipped. */
const styles =
  /^(?:color|backgroundColor|textAlign|padding\w*|margin\w*|border\w*|width|height|verticalAlign|font(?:Weight|Style|Family)|math-?(?:depth|style|Depth|Style)|whiteSpace)$/;

/**
 * Shows a formula as MathML in its place. Elements, attributes and styles are those of a list, so that no TeX can bring in a
 * link, a picture, a class or code. One that is not closed, is not valid TeX or is too long is shown as its source.
 *
 * @param source with its delimiters
 */
export function showFormula(place: HTMLElement, source: string): void {
  const formula = source.length <= MAX_LENGTH ? readFormula(source) : undefined;
  const nodes = formula && nodesOf(formula, source);
  place.className = nodes ? "formula" : "markdown-source";
  place.toggleAttribute("data-display", nodes && formula?.isDisplay);
  place.replaceChildren(...(nodes ?? [source]));
}

function nodesOf(formula: NonNullable<ReturnType<typeof readFormula>>, source: string): readonly Node[] | undefined {
  try {
    const tree = toTree(formula.tex, {
      displayMode: formula.isDisplay,
      throwOnError: true,
      trust: false,
      maxSize: [20, 40],
      maxExpand: 300,
    });
    const math = document.createElement("span");
    math.style.cssText = "user-select:none;-webkit-user-select:none";
    math.append(...build(tree));
    // What a selection copies: the source, in place of MathML's characters without their order.
    const text = document.createElement("span");
    text.style.cssText = SELECTED;
    text.ariaHidden = "true";
    text.textContent = source;
    return [math, text];
  } catch {
    return undefined;
  }
}

/** The nodes of the page for a node of the tree. What is not on the list is left out, and its children stand in its place. */
function build(node: TreeNode): readonly Node[] {
  if (node.text !== undefined) return [document.createTextNode(node.text)];
  const children = (node.children ?? []).flatMap(build);
  const { type = "" } = node;
  if (!tags.has(type)) return children;
  const element = document.createElementNS("http://www.w3.org/1998/Math/MathML", type);
  for (const [name, value] of Object.entries(node.attributes ?? {})) {
    if (attributes.has(name)) element.setAttribute(name, String(value));
  }
  for (const [name, value] of Object.entries(node.style ?? {})) {
    if (styles.test(name) && !/url|\(/i.test(String(value))) Reflect.set(element.style, name, String(value));
  }
  element.append(...children);
  return [element];
}
