import type { PageTool, StreamEvent } from "@nitka/protocol";

/** A tool call that waits for the visitor. Its `tool-input-available` was already yielded, with the same id. */
export interface VisitorCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

/** A server's tool, as a project's `approve` names it. */
export interface ServerTool {
  /** The name under which the model calls it. */
  readonly name: string;
  /** The origin of an MCP tool: the server's name in the config, and the tool's own name there. */
  readonly mcp?: { readonly server: string; readonly tool: string };
  /** Whether MCP marks it as destructive. */
  readonly destructive: boolean;
}

/** The visitor did not allow the call: they denied it, or nobody decided in time. */
export type Denied =
  | { readonly type: "denied"; readonly reason?: string }
  | { readonly type: "expired"; readonly waitedMs: number };

export type Approval = { readonly type: "approved" } | Denied;

/** The result of a page's tool. It comes from the page, so it is untrusted data. */
export type PageOutcome =
  | { readonly type: "output"; readonly output: unknown }
  | { readonly type: "failed"; readonly errorText: string }
  | Denied;

/**
 * The visitor of a run, as its model sees them: they approve tool calls, and their page runs its own tools. `approve`
 * and `runOnPage` yield the events of the wait, which the model passes on, and may take as long as `toolWaitMs`. They
 * throw when the run has ended.
 *
 * @example
 * yield { type: "tool-input-available", ...call };
 * const approval = yield* visitor.approve(call);
 */
export interface RunVisitor {
  /** The page's tools for this run. The model may call them. */
  readonly tools: readonly PageTool[];
  /**
   * To be called with all tools of the model, including the page's, before it calls one. This determines what visitors
   * see of them.
   */
  reportTools(tools: readonly ServerTool[]): void;
  /** Whether calls of this tool need the visitor's approval. */
  mustApprove(tool: ServerTool): boolean;
  /** Waits until the visitor has allowed or denied a call of a server's tool. */
  approve(call: VisitorCall): AsyncGenerator<StreamEvent, Approval, undefined>;
  /** Lets the page run one of its tools. The model yields the output or the error itself. */
  runOnPage(call: VisitorCall): AsyncGenerator<StreamEvent, PageOutcome, undefined>;
  /**
   * To be called with the names of page tools that the model does not get, because a server's tool has the same name.
   */
  reportHidden(names: readonly string[]): void;
}
