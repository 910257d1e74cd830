/** The key code of every key that an input method handles itself (UI Events, «Fixed virtual key codes»). */
const INPUT_METHOD_KEY_CODE = 229;

/**
 * Whether a key press belongs to an input method that is composing a word. Safari sends the Enter that ends the word after the
 * composition has ended; only its key code shows that it belongs to the word.
 */
export function isComposing(press: { readonly isComposing: boolean; readonly keyCode: number }): boolean {
  return press.isComposing || press.keyCode === INPUT_METHOD_KEY_CODE;
}
