import { useChat } from "../chat-context.tsx";
import { Disclosure } from "../primitives/disclosure.tsx";
import type { PartOf, PartPlace, PartView } from "./part-view.ts";

export const toolCallPart: PartView<"tool-call"> = { each: ToolCallPart };

/** A tool call: the tool's name, and folded its arguments and its result. */
function ToolCallPart({ part, place }: { readonly part: PartOf<"tool-call">; readonly place: PartPlace }) {
  const { words } = useChat();
  const { toolName, argsText, result, isError } = part;
  const busy = place.running && result === undefined;
  return (
    <Disclosure
      className="tool-call"
      title={
        <span className="disclosure-title" data-busy={busy || undefined}>
          {words.parts.usedTool} <code className="tool-name">{toolName}</code>
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
  );
}
