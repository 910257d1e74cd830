/** The key code of every key that an input method has taken for itself. */
const TAKEN_BY_INPUT_METHOD = 229;

/**
 * Whether a key belongs to the input method that composes a word. Safari sends the Enter that ends the word after the
 * composition: its key code alone tells.
 */
export function isComposing(press: { readonly isComposing: boolean; readonly keyCode: number }): boolean {
  return press.isComposing || press.keyCode === TAKEN_BY_INPUT_METHOD;
}
