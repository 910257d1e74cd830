import type { ToolSet } from "ai";

/** The tools of one run. */
export interface OpenTools {
  readonly tools: ToolSet;
  /** The names of the tool servers that do not respond. The answer tells the visitor that tools are missing. */
  readonly missing?: readonly string[];
  /** Called after the run. The run does not wait for it. */
  readonly close?: () => Promise<void>;
}
