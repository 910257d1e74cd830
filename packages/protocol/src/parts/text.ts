/** Text of a question or an answer. */
export interface TextPart {
  readonly type: "text";
  /** Markdown in an answer, plain text in a question. */
  readonly text: string;
}
