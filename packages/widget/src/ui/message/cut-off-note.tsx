import type { Message } from "@nitka/protocol";
import { cutOffWords } from "../../i18n/cut-off-words.ts";
import { conversationOf, isRunning } from "../../store/selectors.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { askBesideDraft } from "./ask-beside-draft.ts";
import { useAnnounced } from "../primitives/announcer.tsx";
import { focusComposer } from "../primitives/focus.ts";

/** Says why the answer ends here. The last answer of the shown branch can be continued if it was cut at the maximum length. */
export function CutOffNote({
  threadId,
  message,
  reason,
  isNew,
}: {
  readonly threadId: string;
  readonly message: Message;
  readonly reason: string;
  readonly isNew: boolean;
}) {
  const { words, locale, actions, store } = useChat();
  const isLast = useChatState((state) => {
    const { messages } = conversationOf(state, threadId);
    return (
      !isRunning(state, threadId) && !messages.some((each, index) => parentOf(each, messages[index - 1]) === message.id)
    );
  });
  const texts = { ...cutOffWords[locale], ...words.cutOff };
  const text = reason === "length" ? texts.length : texts.filtered;
  useAnnounced(isNew ? text : "");
  return (
    <div className="cut-off-note">
      <p className="message-note">{text}</p>
      {reason === "length" && isLast && (
        <button
          type="button"
          className="button"
          onClick={(event) => {
            focusComposer(event.currentTarget);
            askBesideDraft({ actions, store }, threadId, texts.question);
          }}
        >
          {texts.continue}
        </button>
      )}
    </div>
  );
}

/** The parent of a message. In a list without parents it is the previous message. */
function parentOf({ parentId }: Message, before: Message | undefined): string | null | undefined {
  return parentId === undefined ? before?.id : parentId;
}
