import { panelWords } from "../../i18n/panel-words.ts";
import { useChat } from "../chat-context.tsx";
import { IconButton } from "../primitives/icon-button.tsx";

/**
 * The tools at the end of the launcher panel's header: a button for the width, and on phones, where the panel fills the screen,
 * one to close it.
 */
export function PanelTools({ wide, onWide }: { readonly wide: boolean; readonly onWide: (wide: boolean) => void }) {
  const { actions, words, locale } = useChat();
  const texts = { ...panelWords[locale], ...words.panel };
  return (
    <>
      <IconButton
        icon={
          wide
            ? "M17 3l-5.5 5.5M16 8.5h-4.5V4M3 17l5.5-5.5M4 11.5h4.5V16"
            : "M11.5 8.5 17 3M12 3h5v5M8.5 11.5 3 17M8 17H3v-5"
        }
        label={wide ? texts.narrow : texts.widen}
        className="panel-width"
        onClick={() => onWide(!wide)}
      />
      <IconButton
        icon="close"
        label={words.launcher.close}
        className="panel-close"
        onClick={() => actions.closePanel()}
      />
    </>
  );
}
