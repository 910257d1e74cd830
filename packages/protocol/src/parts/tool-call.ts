/** A tool call with its arguments and, after the tool has returned, its result. */
export interface ToolCallPart {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly toolName: string;
  /** The arguments as they were streamed, or as JSON when they arrived as a whole. */
  readonly argsText: string;
  readonly args?: unknown;
  readonly result?: unknown;
  readonly isError?: boolean;
  /** Absent when the tool needs no approval. */
  readonly approval?: "requested" | "approved" | "denied";
}
