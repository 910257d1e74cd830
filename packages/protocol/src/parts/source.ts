/** Where the answer's words come from. A document has no address of its own: its `url` is empty. */
export interface SourcePart {
  readonly type: "source";
  readonly sourceType: "url";
  readonly id: string;
  readonly url: string;
  readonly title?: string | undefined;
}
