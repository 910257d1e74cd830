import type { ToolSet } from "ai";
import type { VisitorIdentity } from "./visitor-token.ts";
import type { HostContent } from "./written-content.ts";

/** The run for which tools are opened. */
export interface ToolRun {
  /** The visitor who asks. */
  readonly asker?: VisitorIdentity | undefined;
  /** Writes the host's own content into the answer while a tool runs. */
  readonly write: (content: HostContent) => void;
}

/** The tools of one run. */
export interface OpenTools {
  readonly tools: ToolSet;
  /** The names of the tool servers that do not respond. The answer tells the visitor that tools are missing. */
  readonly missing?: readonly string[];
  /** Called after the run. The run does not wait for it. */
  readonly close?: () => Promise<void>;
}
