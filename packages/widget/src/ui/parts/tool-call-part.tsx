import { use } from "react";
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
            {words.parts.usedTool} <code className="tool-name">{toolName}</code>
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
            <pre className="tool-text">{argsText}</pre>
            {result !== undefined && (
              <>
                <p className="tool-heading">{words.parts.result}</p>
                <pre className="tool-text" data-failed={isError || undefined}>
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
