import type { Nodes, PhrasingContent, RootContent } from "mdast";
import type { CitationNode, CitationSyntax } from "./citation-node.ts";

/** `[1]`, `[1, 2]`. What is longer than three digits is a year or a number of the text. */
const MARKERS = /( ?)\[(\d{1,3}(?:, ?\d{1,3})*)\]/;

/**
 * Makes links of numbers in brackets that sources have. Code is no text, and links stay as they are.
 *
 * @param sources by their numbers; later ones may be added, before the text that names them
 * @param mayCome whether more sources may come: then the other numbers are citations too, without a link
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
    // Each text is followed by the gap and the numbers behind it.
    return pieces.flatMap((piece, index): readonly PhrasingContent[] => {
      if (index % 3 === 0) return piece === "" ? [] : [{ type: "text", value: piece }];
      if (index % 3 === 1) return [];
      const gap = pieces[index - 1] ?? "";
      const numbers = piece.split(",").map(Number);
      const unknown = numbers.filter((n) => !sources.has(n));
      for (const n of unknown) missing.add(n);
      // Half of it as links would hide that the other half has no source.
      if (unknown.length > 0 && !mayCome) return [{ type: "text", value: `${gap}[${piece}]` }];
      return numbers.map((n, at): CitationNode => {
        const before = `${at === 0 ? gap : ""}[`;
        return Object.assign({ type: "citation" as const, value: String(n), before }, sources.get(n));
      });
    });
  }

  return { missing, mdast: { transforms: [cite] } };
}
