import { useChat } from "../chat-context.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { Disclosure } from "../primitives/disclosure.tsx";
import type { PartOf } from "../chat-context.tsx";
import type { PartPlace } from "./part-view.ts";

/** The assistant's reasoning, folded. */
export function ReasoningPart({ part, place }: { readonly part: PartOf<"reasoning">; readonly place: PartPlace }) {
  const { words } = useChat();
  return (
    <Disclosure
      className="reasoning"
      title={
        <span className="disclosure-title" data-busy={place.writing || undefined}>
          {place.writing ? words.parts.reasoningRunning : words.parts.reasoning}
        </span>
      }
    >
      {() => <Markdown text={part.text} streaming={place.writing} appended={place.appended} messageId={place.partId} />}
    </Disclosure>
  );
}
