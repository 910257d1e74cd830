import type { Extension, FullNormalizedExtension, Tokenizer } from "micromark-util-types";

/**
 * Extensions for many parses. micromark merges its own constructs with those of the extensions at each parse, which takes
 * longer than the parse of a short text. Here the first parse merges them, and the later ones take over the result.
 *
 * @returns what to call for each parse: it returns the extensions to parse with
 */
export function mergeOnce(extensions: readonly Extension[]): () => Extension[] {
  let merged: FullNormalizedExtension | undefined;
  const tokenize: Tokenizer = function takeOver(_effects, _ok, nok) {
    this.parser.constructs = merged ??= this.parser.constructs;
    return nok;
  };
  // A document construct that never matches. It is tried on the first line, before its text is parsed.
  const takeOver: Extension = { document: { null: { tokenize } } };
  // The other document constructs are tried on the first line too, and before this one.
  const ofDocument = extensions.map(({ document = {} }) => ({ document }));
  return () => [...(merged ? ofDocument : extensions), takeOver];
}
