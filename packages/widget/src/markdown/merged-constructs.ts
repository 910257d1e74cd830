import type { Extension, FullNormalizedExtension, ParseContext, Tokenizer } from "micromark-util-types";

/**
 * Extensions for many parses. micromark merges its own constructs with those of the extensions at each parse, which takes
 * longer than the parse of a short text. Here the first parse merges them, and the later ones take over the result.
 *
 * @param change what is changed in the result
 * @param begin called at the beginning of each parse
 * @returns what to call for each parse: it returns the extensions to parse with
 */
export function mergeOnce(
  extensions: readonly Extension[],
  change: (merged: FullNormalizedExtension) => FullNormalizedExtension,
  begin: (parser: ParseContext) => void,
): () => Extension[] {
  let merged: FullNormalizedExtension | undefined;
  const tokenize: Tokenizer = function takeOver(_effects, _ok, nok) {
    this.parser.constructs = merged ??= change(this.parser.constructs);
    begin(this.parser);
    return nok;
  };
  // A document construct that never matches. It is tried on the first line, before its text is parsed.
  const takeOver: Extension = { document: { null: { tokenize } } };
  // The other document constructs are tried on the first line too, and before this one.
  const ofDocument = extensions.map(({ document = {} }) => ({ document }));
  return () => [...(merged ? ofDocument : extensions), takeOver];
}
