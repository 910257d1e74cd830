/** What to ask after the last answer. Most answers suggest nothing, so this chunk loads with the first that does. */
import type { Suggestion } from "@nitka/protocol";
import { draftOf } from "../../store/selectors.ts";
import { useChat } from "../chat-context.tsx";
import { Suggestions } from "./suggestions.tsx";

/** The most that are shown. */
const MAX_COUNT = 4;

/** @param suggestions as the backend stores them: what makes no sense is left out */
export function NextQuestions({
  threadId,
  suggestions,
}: {
  readonly threadId: string;
  readonly suggestions: readonly Suggestion[];
}) {
  const { actions, store, words } = useChat();
  const choices = usableSuggestions(suggestions);
  if (choices.length === 0) return null;
  const ask = (prompt: string) => {
    const { text, attachments } = draftOf(store.get(), threadId);
    void actions.sendText(threadId, prompt);
    // `sendText` sends the prompt in place of the draft's text: a draft without files is put back. One with files was sent with it.
    if (text !== "" && attachments.length === 0) actions.setDraft(threadId, text);
  };
  return (
    <div className="next-questions">
      <Suggestions label={words.thread.nextQuestions} choices={choices} onAsk={ask} />
    </div>
  );
}

/**
 * The first of those that have both texts, each title once.
 *
 * @example usableSuggestions([{ title: "A", prompt: "a" }, { title: "A", prompt: "b" }, { title: "" }, null])
 *   // [{ title: "A", prompt: "a" }]
 */
export function usableSuggestions(suggestions: unknown): readonly Suggestion[] {
  if (!Array.isArray(suggestions)) return [];
  const byTitle = new Map<string, Suggestion>();
  for (const item of suggestions) {
    const { title, prompt } = Object(item) as { readonly title?: unknown; readonly prompt?: unknown };
    if (typeof title !== "string" || typeof prompt !== "string") continue;
    if (title.trim() !== "" && prompt.trim() !== "" && !byTitle.has(title)) byTitle.set(title, { title, prompt });
  }
  return [...byTitle.values()].slice(0, MAX_COUNT);
}
