/** The body of every error response. `code` is for programs, `message` for people. */
export interface Problem {
  readonly error: { readonly code: string; readonly message: string };
}
