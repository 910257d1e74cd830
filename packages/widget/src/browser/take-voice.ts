/** Two voices at once cannot be understood, and a microphone hears what is read aloud. */
const CHANNEL = "nitka:voice";

/**
 * Ends whatever another widget, or a page of this origin in another tab, records or reads aloud; this widget's own too.
 *
 * @param onTaken called when another one begins
 *
 * @returns gives the voice up
 */
export function takeVoice(onTaken: () => void): () => void {
  const port = new BroadcastChannel(CHANNEL);
  port.addEventListener("message", onTaken);
  port.postMessage(undefined);
  return () => port.close();
}
