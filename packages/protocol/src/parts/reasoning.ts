/** The text that a reasoning model writes before its answer, as markdown. */
export interface ReasoningPart {
  readonly type: "reasoning";
  readonly text: string;
}
