export interface ToolCallPart {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly toolName: string;
  /** The arguments as text: as they streamed in, else as JSON. */
  readonly argsText: string;
  readonly args?: unknown;
  readonly result?: unknown;
  readonly isError?: boolean;
}
