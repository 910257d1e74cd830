import type { ReactNode } from "react";
import { shownTitle } from "../../store/selectors.ts";
import { safeLink } from "../../markdown/safe-link.ts";
import { loadChunk } from "../../load-chunk.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { OutwardLink } from "../primitives/outward-link.tsx";
import { RetryButton } from "../primitives/failure-note.tsx";
import { useLoaded } from "../primitives/use-loaded.ts";
import { SidebarToggle } from "../sidebar/sidebar.tsx";

/** The chat's menu, which no visitor needs before the first view. */
const loadThreadMenu = loadChunk(() => import("./thread-menu.tsx"));

/**
 * The sidebar's toggle, the breadcrumb of model and thread, and the chat's menu.
 *
 * @param children the tools of the launcher's panel, at the end
 */
export function ChatHeader({ children }: { readonly children?: ReactNode }) {
  const { words } = useChat();
  const threadMenu = useLoaded(loadThreadMenu);
  const title = useChatState((state) => shownTitle(state, state.threads.activeId));
  return (
    <header className="chat-header" part="header">
      <SidebarToggle />
      <nav className="breadcrumb" aria-label={words.header.breadcrumb}>
        <ol>
          <ModelCrumb />
          <li className="thread-crumb">
            <span aria-current="page" dir="auto" data-cut>
              {title.trim() === "" ? words.header.untitled : title}
            </span>
          </li>
        </ol>
      </nav>
      {threadMenu.value && <threadMenu.value.ThreadMenu />}
      {children}
    </header>
  );
}

const loadMenu = loadChunk(() => import("../primitives/menu.tsx"));

/** A menu of the project's models. If the project lists none, a link to the product takes its place. */
function ModelCrumb() {
  const { actions, words, productUrl } = useChat();
  const { models, titleUrl } = useChatState((state) => state.config);
  const modelId = useChatState((state) => state.model);
  const menu = useLoaded(models && models.length > 0 ? loadMenu : undefined);
  if (!models || models.length === 0) {
    return (
      <li className="model-crumb" data-plain>
        <OutwardLink className="model-link" href={safeLink(titleUrl ?? productUrl)}>
          {words.header.modelChanger}
        </OutwardLink>
      </li>
    );
  }
  const chosen = models.find((model) => model.id === modelId) ?? models[0];
  return (
    <li className="model-crumb">
      {menu.value ? (
        <menu.value.Menu
          label={words.header.models}
          choices={models}
          chosenId={chosen?.id}
          onChoose={(id) => actions.selectModel(id)}
        >
          <span className="hidden-text">{words.header.models}: </span>
          <span className="model-name">{chosen?.name}</span>
        </menu.value.Menu>
      ) : (
        <>
          {chosen?.name}
          {menu.error && <RetryButton onRetry={menu.retry} />}
        </>
      )}
    </li>
  );
}
