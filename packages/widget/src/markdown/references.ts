import type { Definition, FootnoteDefinition, FootnoteReference, Image, Link, Nodes, Parent, RootContent } from "mdast";

/** The definitions and references in blocks. */
export interface Mentions {
  readonly definitions: readonly Definition[];
  readonly footnoteDefinitions: readonly FootnoteDefinition[];
  /** The references outside footnotes, in the order of the text. */
  readonly footnoteReferences: readonly FootnoteReference[];
  /** The labels of all references to footnotes, including those inside footnotes. */
  readonly footnoteLabels: readonly string[];
  /** The number of list items. */
  readonly items: number;
}

export function mentionsIn(nodes: readonly RootContent[]): Mentions {
  const definitions: Definition[] = [];
  const footnoteDefinitions: FootnoteDefinition[] = [];
  const footnoteReferences: FootnoteReference[] = [];
  const footnoteLabels: string[] = [];
  let items = 0;
  const visit = (node: Nodes, inFootnote: boolean) => {
    if (node.type === "definition") definitions.push(node);
    if (node.type === "footnoteDefinition") footnoteDefinitions.push(node);
    if (node.type === "footnoteReference") {
      footnoteLabels.push(node.identifier);
      if (!inFootnote) footnoteReferences.push(node);
    }
    if (node.type === "listItem") items += 1;
    if (!("children" in node)) return;
    for (const child of node.children) visit(child, inFootnote || node.type === "footnoteDefinition");
  };
  for (const node of nodes) visit(node, false);
  return { definitions, footnoteDefinitions, footnoteReferences, footnoteLabels, items };
}

/**
 * Replaces references by links and images in place, and removes the positions of the nodes, which take as much memory as the
 * text. It is for nodes that were just parsed and that nothing else uses yet.
 */
export function resolveReferences(
  nodes: readonly Nodes[],
  definitionOf: (label: string) => Definition | undefined,
): void {
  const resolve = (node: Nodes) => {
    node.position = undefined;
    if (!("children" in node)) return;
    const parent: Parent = node;
    parent.children = parent.children.map((child) => resolved(child, definitionOf));
    for (const child of parent.children) resolve(child);
  };
  for (const node of nodes) resolve(node);
}

function resolved(node: RootContent, definitionOf: (label: string) => Definition | undefined): RootContent {
  if (node.type !== "linkReference" && node.type !== "imageReference") return node;
  const definition = definitionOf(node.identifier);
  if (!definition) return node;
  const { url, title = null } = definition;
  return node.type === "linkReference"
    ? ({ type: "link", url, title, children: node.children } satisfies Link)
    : ({ type: "image", url, title, alt: node.alt ?? null } satisfies Image);
}
