import { use } from "react";
import { englishOf } from "../../i18n/language-of.ts";
import { conversationOf } from "../../store/selectors.ts";
import { MessagePlaceContext, useChat, useChatState } from "../chat-context.tsx";
import { Disclosure } from "../primitives/disclosure.tsx";
import { MissingCode } from "../primitives/failure-note.tsx";
import { useLoaded } from "../primitives/use-loaded.ts";
import { loadApproval } from "./load-approval.ts";
import type { PartOf, PartPlace, PartView } from "./part-view.ts";

export const toolCallPart: PartView<"tool-call"> = { each: ToolCallPart };

/** A tool call: the tool's name, and folded its arguments and its result. Below it the question whether it may run. */
function ToolCallPart({ part, place }: { readonly part: PartOf<"tool-call">; readonly place: PartPlace }) {
  const { actions, words } = useChat();
  const { threadId } = use(MessagePlaceContext);
  const { toolCallId, toolName, argsText, result, isError, approval } = part;
  const isOpen = place.running && result === undefined;
  const call = useChatState((state) => conversationOf(state, threadId).run?.calls?.[toolCallId]);
  const wait = isOpen ? call : undefined;
  const { value: views, error, retry } = useLoaded(wait || approval ? loadApproval : undefined);
  const isAsking = wait?.type === "asking" || wait?.type === "deciding";
  const busy = isOpen && !isAsking && wait?.type !== "elsewhere" && approval !== "denied";
  return (
    <>
      <Disclosure
        className="tool-call"
        title={
          <span className="disclosure-title" data-busy={busy || undefined}>
            <span lang={englishOf(words.parts.usedTool)}>{words.parts.usedTool}</span>{" "}
            <code className="tool-name">{toolName}</code>
            {views && <views.CallNote part={part} call={wait} />}
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
      {isAsking && error && <MissingCode onRetry={retry} />}
      {isAsking && views && (
        <views.ApprovalCard
          part={part}
          call={wait}
          partId={place.partId}
          onDecide={(approved) => void actions.decideTool(threadId, toolCallId, approved)}
        />
      )}
    </>
  );
}

/** A long text scrolls, and keys scroll what has the focus. */
const scroller = (label: string) => ({ role: "group", tabIndex: 0, "aria-label": label });
