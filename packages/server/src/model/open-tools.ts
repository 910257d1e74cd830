import type { ToolSet } from "ai";

/** Tools that are there for one run. */
export interface OpenTools {
  readonly tools: ToolSet;
  /** Where tools are missing: the names of the servers that do not answer. The answer says that they are missing. */
  readonly missing?: readonly string[];
  /** Called when the run is over. Nothing waits for it. */
  readonly close?: () => Promise<void>;
}
