import { Markdown } from "../markdown/markdown.tsx";
import type { PartOf } from "../chat-context.tsx";
import type { PartPlace } from "./part-view.ts";

/** Markdown in an answer, plain text in a question. */
export function TextPart({ part, place }: { readonly part: PartOf<"text">; readonly place: PartPlace }) {
  if (place.author !== "assistant")
    return (
      <div className="plain-text" dir="auto" lang="">
        {part.text}
      </div>
    );
  return (
    <Markdown
      text={part.text}
      streaming={place.writing}
      appended={place.appended}
      messageId={place.partId}
      cited={place.cited}
    />
  );
}
