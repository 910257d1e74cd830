/** Content of the host's own kind, which only the host's renderer can display. */
export interface DataPart {
  readonly type: "data";
  /** For example `order` for the event `data-order`. */
  readonly name: string;
  /** Later content with the same name and id replaces it. */
  readonly id?: string | undefined;
  readonly data: unknown;
}
