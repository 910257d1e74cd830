import { use } from "react";
import { englishOf } from "../../i18n/language-of.ts";
import { conversationOf, isAsking } from "../../store/selectors.ts";
import { MessagePlaceContext, useChat, useChatState } from "../chat-context.tsx";
import { Disclosure } from "../primitives/disclosure.tsx";
import type { PartOf } from "../chat-context.tsx";
import type { PartPlace } from "./part-view.ts";
import { ApprovalCard, CallNote } from "./tool-approval.tsx";

export { approvalTexts } from "./tool-approval.tsx";

/** A tool call: the tool's name, its folded arguments and result, and below it the question whether it may run. */
export function ToolCallView({ part, place }: { readonly part: PartOf<"tool-call">; readonly place: PartPlace }) {
  const { actions, words } = useChat();
  const { threadId } = use(MessagePlaceContext);
  const { toolCallId, toolName, argsText, result, isError, approval } = part;
  const isOpen = place.running && result === undefined;
  const call = useChatState((state) => conversationOf(state, threadId).run?.calls?.[toolCallId]);
  const wait = isOpen ? call : undefined;
  const busy = isOpen && !isAsking(wait) && wait?.type !== "elsewhere" && approval !== "denied";
  return (
    <>
      <Disclosure
        className="tool-call"
        title={
          <span className="disclosure-title" data-busy={busy || undefined}>
            <span lang={englishOf(words.parts.usedTool)}>{words.parts.usedTool}</span>{" "}
            <code className="tool-name">{toolName}</code>
            {(wait || approval) && <CallNote part={part} call={wait} />}
            {busy && <span className="tool-state">{` ${words.parts.toolRunning}`}</span>}
            {isError && (
              <span className="tool-state" data-failed>
                {` ${words.parts.toolFailed}`}
              </span>
            )}
          </span>
        }
      >
        {() => (
          <>
            <pre className="tool-text" {...scroller(toolName)}>
              {argsText}
            </pre>
            {result !== undefined && (
              <>
                <p className="tool-heading" lang={englishOf(words.parts.result)}>
                  {words.parts.result}
                </p>
                <pre className="tool-text" {...scroller(words.parts.result)} data-failed={isError || undefined}>
                  {typeof result === "string" ? result : JSON.stringify(result, null, 2)}
                </pre>
              </>
            )}
          </>
        )}
      </Disclosure>
      {isAsking(wait) && (
        <ApprovalCard
          part={part}
          call={wait}
          partId={place.partId}
          onDecide={(approved) => void actions.decideTool(threadId, toolCallId, approved)}
        />
      )}
    </>
  );
}

/** A long text scrolls. Keys scroll the focused element. */
const scroller = (label: string) => ({ role: "group", tabIndex: 0, "aria-label": label });
