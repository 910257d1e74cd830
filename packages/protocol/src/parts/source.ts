/** A source that the answer cites. The `url` of a document is empty: it has no address. */
export interface SourcePart {
  readonly type: "source";
  readonly sourceType: "url";
  readonly id: string;
  readonly url: string;
  readonly title?: string | undefined;
}
