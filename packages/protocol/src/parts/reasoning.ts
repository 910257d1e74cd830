export interface ReasoningPart {
  readonly type: "reasoning";
  readonly text: string;
}
