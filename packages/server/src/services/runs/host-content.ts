import type { StreamEvent, Suggestion } from "@nitka/protocol";
import type { EventOf } from "@nitka/protocol/stream-event";
import { parseStreamEvent } from "@nitka/protocol/stream-event";
import { serializeEvent } from "@nitka/protocol/serialize-event";

/** The most characters of one piece of content, as JSON. */
const MAX_DATA_CHARS = 100_000;

/**
 * The most characters of all content in one answer. Replaced content counts too, since the run's log still contains it.
 */
const MAX_ANSWER_CHARS = 1_000_000;

const MAX_SUGGESTIONS = 4;
const MAX_SUGGESTION_CHARS = 1_000;

/**
 * Checks content of the host's own kinds that a model or its tools write into one answer.
 *
 * @param leftOut called with the reason why content is left out
 * @returns the event to append; `undefined` when it is left out
 */
export function hostContent(
  leftOut: (name: string, reason: string) => void,
): (event: EventOf<"data"> | EventOf<"data-suggestions">) => StreamEvent | undefined {
  let answerChars = 0;

  function problemOf(event: EventOf<"data">): string | undefined {
    const json = jsonOf(event);
    if (json === undefined) return "it is not JSON";
    if (json.length > MAX_DATA_CHARS) return `it has ${json.length} characters: at most ${MAX_DATA_CHARS} are kept`;
    // An event with a name of the protocol, such as `title`, would be read as the protocol's event.
    if (parseStreamEvent(json)?.type !== "data") return "its name is one of the stream's own events";
    answerChars += json.length;
    return answerChars > MAX_ANSWER_CHARS
      ? `the answer holds at most ${MAX_ANSWER_CHARS} characters of content`
      : undefined;
  }

  return (event) => {
    if (event.type === "data-suggestions") return { ...event, suggestions: cleanSuggestions(event.suggestions) };
    const problem = problemOf(event);
    if (problem === undefined) return event;
    leftOut(event.name, problem);
    return undefined;
  };
}

/** The first suggestions that have both texts, each cut to the length of a question that a button may send. */
export function cleanSuggestions(suggestions: readonly Suggestion[]): readonly Suggestion[] {
  const cut = (text: string) => text.slice(0, MAX_SUGGESTION_CHARS).toWellFormed().trim();
  return suggestions
    .map(({ title, prompt }) => ({ title: cut(title), prompt: cut(prompt) }))
    .filter(({ title, prompt }) => title !== "" && prompt !== "")
    .slice(0, MAX_SUGGESTIONS);
}

function jsonOf(event: EventOf<"data">): string | undefined {
  try {
    return serializeEvent(event);
  } catch {
    return undefined;
  }
}
