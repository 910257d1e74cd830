import type { PartOf, PartPlace, PartView } from "./part-view.ts";

export const textPart: PartView<"text"> = { each: TextPart };

/** Markdown in an answer, plain text in a question. */
function TextPart({ part }: { readonly part: PartOf<"text">; readonly place: PartPlace }) {
  return <div className="plain-text">{part.text}</div>;
}
