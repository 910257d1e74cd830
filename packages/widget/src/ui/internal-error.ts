/** Something that cannot be by the rules of the widget itself: a message that nobody knows how to show, a part outside its place. */
export class InternalError extends Error {
  override readonly name = "InternalError";
}
