/**
 * What a page says about a tool call that waits for it: the body of `POST …/run/tool`.
 *
 * `output`, `errorText` and `approved: false` are final: the first of them counts. `approved: true` is final for a tool of
 * the server alone. `claim` is an id of the page's life: the page that claims a call first may run it.
 */
export type ToolAnswer = { readonly toolCallId: string } & (
  | { readonly output: unknown }
  | { readonly errorText: string }
  | { readonly approved: boolean; readonly reason?: string }
  | { readonly claim: string }
);
