import type { PageTool, StreamEvent } from "@nitka/protocol";

/** A tool call that waits for the visitor. Its `tool-input-available` was yielded before, with the same id. */
export interface VisitorCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

/** A tool of the server, as a project's `approve` names it. */
export interface ServerTool {
  /** The name that the model calls it by. */
  readonly name: string;
  /** Where it comes from, if from MCP: the server's name in the config, and the tool's name there. */
  readonly mcp?: { readonly server: string; readonly tool: string };
  /** Whether MCP marks it as destructive. */
  readonly destructive: boolean;
}

/** The visitor did not let the tool run: they denied the call, or nobody decided in time. */
export type Denied =
  | { readonly type: "denied"; readonly reason?: string }
  | { readonly type: "expired"; readonly waitedMs: number };

export type Approval = { readonly type: "approved" } | Denied;

/** What the page's tool has returned. It comes from the page, so it is untrusted data. */
export type PageOutcome =
  | { readonly type: "output"; readonly output: unknown }
  | { readonly type: "failed"; readonly errorText: string }
  | Denied;

/**
 * The visitor of a run, for its model: they approve tool calls, and their page runs tools of its own. Both methods yield the
 * events of the wait, which the model yields in turn, and may take as long as `toolWaitMs`. They throw when the run is over.
 *
 * @example
 * yield { type: "tool-input-available", ...call };
 * const approval = yield* visitor.approve(call);
 */
export interface RunVisitor {
  /** The page's tools, for this run. The model may call them. */
  readonly tools: readonly PageTool[];
  /** To be called with all tools that the model has, the page's too, before it calls one: it decides what visitors see of them. */
  reportTools(tools: readonly ServerTool[]): void;
  /** Whether calls of this tool need the visitor's approval. */
  mustApprove(tool: ServerTool): boolean;
  /** Waits until the visitor has allowed or denied a call of a tool of the server. */
  approve(call: VisitorCall): AsyncGenerator<StreamEvent, Approval, undefined>;
  /** Has the page run one of its tools. The model yields the output or the error itself. */
  runOnPage(call: VisitorCall): AsyncGenerator<StreamEvent, PageOutcome, undefined>;
  /** To be called with the names of page tools that the model does not get, because a tool of the server has the name. */
  reportHidden(names: readonly string[]): void;
}
