import temml from "temml";
import { readFormula } from "./read-formula.ts";

/** The maximum number of characters of TeX. A longer formula is shown as its source. */
const MAX_LENGTH = 5000;

/** The style of a text that is selected with the text around it but is not visible. */
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

/** Creates temml's tree before temml turns it into elements or markup. Its types have it under another name than its code. */
const toTree = Reflect.get(temml, "__renderToMathMLTree") as (tex: string, options: temml.Options) => TreeNode;

/** None of these styles can load anything. Some can leave the formula's own box, which is clipped. */
const styles =
  /^(?:color|backgroundColor|textAlign|padding\w*|margin\w*|border\w*|width|height|verticalAlign|font(?:Weight|Style|Family)|math-?(?:depth|style|Depth|Style)|whiteSpace)$/;

/**
 * Shows a formula as MathML in its place. Elements, attributes and styles come from a fixed list, so that no TeX can add a
 * link, a picture, a class or code. A formula that is not closed, is not valid TeX or is too long is shown as its source.
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
    // A selection copies the source, instead of MathML's characters in a meaningless order.
    const text = document.createElement("span");
    text.style.cssText = SELECTED;
    text.ariaHidden = "true";
    text.textContent = source;
    return [math, text];
  } catch {
    return undefined;
  }
}

/** The DOM nodes for a node of the tree. A node that is not on the list is left out, and its children take its place. */
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
