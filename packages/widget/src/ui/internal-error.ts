/** The widget or its backend broke a rule of the view: a message of an unknown role, a component outside its provider. */
export class InternalError extends Error {
  override readonly name = "InternalError";
}
