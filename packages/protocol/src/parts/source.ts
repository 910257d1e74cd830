/** A source that the answer cites. The `url` of a document is empty, since it has no address. */
export interface SourcePart {
  readonly type: "source";
  readonly sourceType: "url";
  readonly id: string;
  readonly url: string;
  readonly title?: string | undefined;
  /** The number with which the text cites it: `[n]`. Absent for sources that the text does not cite. */
  readonly n?: number | undefined;
  /** The sentence of the source that supports the answer. */
  readonly quote?: string | undefined;
  /** The heading above that sentence. */
  readonly heading?: string | undefined;
}
