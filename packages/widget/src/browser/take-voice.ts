/** Two voices at the same time cannot be understood, and a microphone records what is read aloud. */
const CHANNEL = "nitka:voice";

/**
 * Stops whatever another widget, or a page of this origin in another tab, records or reads aloud, and what this widget does.
 *
 * @param onTaken called when another one begins
 *
 * @returns a function that gives up the voice
 */
export function takeVoice(onTaken: () => void): () => void {
  const port = new BroadcastChannel(CHANNEL);
  port.addEventListener("message", onTaken);
  port.postMessage(undefined);
  return () => port.close();
}
