import { memo, useLayoutEffect, useMemo, useRef } from "react";
import { toPieces } from "../../markdown/block.ts";
import type { CodeBlock } from "../../markdown/block.ts";
import type { Token } from "../../markdown/code/highlight.ts";
import { HostViewOr, useChat } from "../chat-context.tsx";
import { patchText } from "./patch-element.ts";
import { renderList } from "./render-list.ts";
import { useHighlight } from "./use-highlight.ts";
import { useScrollEdges } from "../primitives/use-scroll-edges.ts";
import { CopyIconButton } from "../primitives/copy-icon-button.tsx";
import { englishOf } from "../../i18n/language-of.ts";
import { CODE_COPIED_MS } from "../../timings.ts";

/** A block of code, which the host may render itself. */
export function CodeBlockView(code: Omit<CodeBlock, "type">) {
  return <CodeView code={code} closed={code.closed} />;
}

function CodeView({ code, closed }: { readonly code: Omit<CodeBlock, "type">; readonly closed: boolean | undefined }) {
  const { language = "", pieces } = code;
  return (
    <HostViewOr name={`code:${language.toLowerCase()}`} part={{ type: "code", language, pieces, closed }}>
      <OwnCodeView {...code} />
    </HostViewOr>
  );
}

/** Code with a header: its language and a button to copy it. */
function OwnCodeView({ language, pieces, closed }: Omit<CodeBlock, "type">) {
  const scroller = useRef<HTMLPreElement>(null);
  const { words } = useChat();
  useScrollEdges(scroller, `${words.markdown.code} ${language ?? ""}`);
  const tokens = useHighlight(pieces, language, closed);
  return (
    <div className="code-block" dir="ltr">
      <div className="code-header">
        <span className="code-language">{language?.toLowerCase()}</span>
        <CopyIconButton
          className="copy-code"
          text={() => pieces.join("")}
          label={words.parts.copyCode}
          lang={englishOf(words.parts.copyCode)}
          copied={words.parts.codeCopied}
          shownMs={CODE_COPIED_MS}
          pausesAfter
        />
      </div>
      <pre ref={scroller}>
        <code>
          {renderList(pieces, (piece, index) => (
            <CodePiece text={piece} tokens={tokens?.[index]} />
          ))}
        </code>
      </pre>
    </div>
  );
}

/** A block of code inside a list or quote. */
export function NestedCode({ language, code }: { readonly language: string | undefined; readonly code: string }) {
  const pieces = useMemo(() => toPieces(code), [code]);
  // The parser does not say whether nested code is closed. For the host's view it is complete when the answer is.
  return <CodeView code={{ language, pieces, closed: true }} closed={undefined} />;
}

/** Some lines of code. A long answer has thousands of coloured tokens, which are written without React, as in markup.ts. */
const CodePiece = memo(function CodePiece({
  text,
  tokens,
}: {
  readonly text: string;
  readonly tokens: readonly Token[] | undefined;
}) {
  const piece = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const onlyChild = piece.current?.childNodes.length === 1 ? piece.current.firstChild : null;
    // Code that is being written grows in its text node, so that a selection in it is kept.
    if (!tokens && onlyChild instanceof Text) patchText(onlyChild, text);
    else piece.current?.replaceChildren(...(tokens?.map(toNode) ?? [text]));
  }, [text, tokens]);
  return <span ref={piece} className="code-piece" />;
});

function toNode({ kind, text }: Token): Node | string {
  if (!kind) return text;
  const span = document.createElement("span");
  span.className = `token-${kind}`;
  span.textContent = text;
  return span;
}
