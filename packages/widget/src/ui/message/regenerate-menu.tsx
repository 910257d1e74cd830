import type { Message } from "@nitka/protocol";
import { modelWords } from "../../i18n/model-words.ts";
import { loadChunk } from "../../load-chunk.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { focusComposer } from "../primitives/focus.ts";
import { useLoaded } from "../primitives/use-loaded.ts";

const loadMenu = loadChunk(() => import("../primitives/menu.tsx"));

/** Regenerates an answer with another of the project's models. The choice in the header does not change. */
export function RegenerateMenu({ threadId, message }: { readonly threadId: string; readonly message: Message }) {
  const { actions, words, locale } = useChat();
  const { models = [] } = useChatState((state) => state.config);
  const chosenId = useChatState((state) => state.model) ?? models[0]?.id;
  const menu = useLoaded(models.length > 1 ? loadMenu : undefined);
  const label = words.model?.regenerate ?? modelWords[locale].regenerate;
  return (
    menu.value && (
      <menu.value.Menu
        label={label}
        choices={models}
        chosenId={chosenId}
        onChoose={(model, item) => {
          // The menu's button disappears during the run.
          focusComposer(item);
          actions.regenerate(threadId, message.id, model);
        }}
        className="regenerate-menu"
      >
        <span className="hidden-text">{label}</span>
      </menu.value.Menu>
    )
  );
}
