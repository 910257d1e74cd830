/** Tells the model that the text is incomplete. */
const NOTE = "\n[Cut off here: the rest did not fit.]";

/**
 * Cuts a text to `budget` characters. A cut text ends with a note; a budget too small for the note gives "".
 *
 * @example truncateText("a".repeat(100), 50) // "aaaaaaaaaaaa\n[Cut off here: the rest did not fit.]"
 */
export function truncateText(text: string, budget: number): string {
  if (text.length <= budget) return text;
  return budget < NOTE.length ? "" : text.slice(0, budget - NOTE.length).toWellFormed() + NOTE;
}
