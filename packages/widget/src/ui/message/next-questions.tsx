/**
 * Suggested questions after the last answer. Most answers have no suggestions and are complete, so this chunk loads with the
 * first answer that has suggestions, was cut off, or failed in a known way.
 */
import type { Suggestion } from "@nitka/protocol";
import { useChat } from "../chat-context.tsx";
import { askBesideDraft } from "./ask-beside-draft.ts";
import { Suggestions } from "../primitives/suggestions.tsx";

export { failureCodeWords } from "../../i18n/failure-code-words.ts";
export { CutOffNote } from "./cut-off-note.tsx";

/** The maximum number that is shown. */
const MAX_COUNT = 4;

/** @param suggestions as the backend stores them; invalid ones are left out */
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
  const ask = (prompt: string) => askBesideDraft({ actions, store }, threadId, prompt);
  return (
    <div className="next-questions">
      <Suggestions label={words.thread.nextQuestions} choices={choices} onAsk={ask} />
    </div>
  );
}

/**
 * The first suggestions that have both texts, each title once.
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
