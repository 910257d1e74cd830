import type { Nodes, PhrasingContent, RootContent } from "mdast";
import type { CitationNode, CitationSyntax } from "./citation-node.ts";

/** `[1]`, `[1, 2]`. Numbers of more than three digits are years or other numbers of the text. */
const MARKERS = /( ?)\[(\d{1,3}(?:, ?\d{1,3})*)\]/;

/**
 * Turns numbers in brackets into links if there are sources with these numbers. Code and existing links stay as they are.
 *
 * @param sources by number; more may be added, before the text that cites them
 * @param mayCome whether more sources may arrive; then other numbers are citations too, without a link
 *
 * @example
 * // «За два дня [1].» with a source 1
 * // [{ type: "text", value: "За два дня" }, { type: "citation", value: "1", before: " [", … }, { type: "text", value: "." }]
 */
export function createCitationSyntax(
  sources: ReadonlyMap<number, Pick<CitationNode, "href" | "label">>,
  mayCome = false,
): CitationSyntax {
  const missing = new Set<number>();

  function withCitations(nodes: readonly RootContent[]): RootContent[] {
    return nodes.flatMap((node) => {
      if (node.type === "text") return citedText(node.value) ?? node;
      cite(node);
      return node;
    });
  }

  function cite(node: Nodes): void {
    if (!("children" in node) || node.type === "link" || node.type === "linkReference") return;
    node.children = withCitations(node.children) as typeof node.children;
  }

  function citedText(text: string): PhrasingContent[] | undefined {
    if (!MARKERS.test(text)) return undefined;
    const pieces = text.split(MARKERS);
    // Each piece of text is followed by the gap and the numbers after it.
    return pieces.flatMap((piece, index): readonly PhrasingContent[] => {
      if (index % 3 === 0) return piece === "" ? [] : [{ type: "text", value: piece }];
      if (index % 3 === 1) return [];
      const gap = pieces[index - 1] ?? "";
      const numbers = piece.split(",").map(Number);
      const unknown = numbers.filter((n) => !sources.has(n));
      for (const n of unknown) missing.add(n);
      // If half of the numbers were links, the reader would not see that the other half has no source.
      if (unknown.length > 0 && !mayCome) return [{ type: "text", value: `${gap}[${piece}]` }];
      return numbers.map((n, at): CitationNode => {
        const before = `${at === 0 ? gap : ""}[`;
        return Object.assign({ type: "citation" as const, value: String(n), before }, sources.get(n));
      });
    });
  }

  return { missing, mdast: { transforms: [cite] } };
}
