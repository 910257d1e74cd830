/** A source that the answer cites. The `url` of a document is empty: it has no address. */
export interface SourcePart {
  readonly type: "source";
  readonly sourceType: "url";
  readonly id: string;
  readonly url: string;
  readonly title?: string | undefined;
  /** The number with which the text cites it: `[n]`. Sources that the text does not cite have none. */
  readonly n?: number | undefined;
  /** The sentence of the source that the answer rests on. */
  readonly quote?: string | undefined;
  /** The heading above that sentence. */
  readonly heading?: string | undefined;
}
