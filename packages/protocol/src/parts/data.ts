/** Content of the host's own kind, which only the host's renderer can show. */
export interface DataPart {
  readonly type: "data";
  /** `order` for the event `data-order`. */
  readonly name: string;
  /** Later content of the same name and id replaces it. */
  readonly id?: string | undefined;
  readonly data: unknown;
}
