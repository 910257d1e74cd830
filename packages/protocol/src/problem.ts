/** The body of every answer that is an error. `code` is for programs, `message` for people. */
export interface Problem {
  readonly error: { readonly code: string; readonly message: string };
}
