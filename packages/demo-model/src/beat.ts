import type { ModelError } from "@nitka/server";

/** One piece of a prepared answer. */
export type Beat =
  | { readonly type: "think"; readonly text: string }
  | { readonly type: "say"; readonly text: string }
  | { readonly type: "cite"; readonly url: string; readonly title: string }
  | { readonly type: "show"; readonly mediaType: string; readonly data: string }
  /** Ends the step. The answer continues with the result of the tool. */
  | { readonly type: "call"; readonly toolName: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly type: "fail"; readonly error: ModelError };
