/** Tells the model that it sees a beginning. */
const NOTE = "\n[Cut off here: the rest did not fit.]";

/** As much of a text as there is room for, with a note where something is missing; nothing where not even that fits. */
export function cutText(text: string, room: number): string {
  if (text.length <= room) return text;
  return room < NOTE.length ? "" : text.slice(0, room - NOTE.length).toWellFormed() + NOTE;
}
