/** What reading a text costs: the widget's parser alone, in Node, as it reads a text that has come at once. */
import { createMarkdownDocument, maxPieceLength } from "@nitka/widget/markdown/markdown-document";
import { createMathSyntax } from "@nitka/widget/markdown/math/math-syntax";
import { isFormula } from "@nitka/widget/markdown/math/is-formula";

const math = createMathSyntax(isFormula);

/** Milliseconds of this thread, the least of some rounds. */
export function parsingMs(text: string, rounds: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const before = process.threadCpuUsage();
    parse(text);
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** In pieces as the view reads them, with a snapshot of each. */
function parse(text: string): void {
  const document = createMarkdownDocument(math);
  for (let from = 0; from < text.length;) {
    const piece = text.slice(from, from + Math.max(maxPieceLength, document.openLength()));
    document.append(piece);
    document.snapshot();
    from += piece.length;
  }
  document.finish();
  document.snapshot();
}
