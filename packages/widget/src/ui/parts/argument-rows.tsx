import { useLayoutEffect, useRef, useState } from "react";
import type { ReactNode, RefObject } from "react";
import type { ApprovalWords } from "../../i18n/approval-text.ts";
import { useChat } from "../chat-context.tsx";
import type { PartOf } from "./part-view.ts";

/** How much is shown before the visitor unfolds the rest. */
const SHOWN_CHARS = 240;
const SHOWN_ROWS = 12;

/** Deeper values are shown as JSON. */
const MAX_DEPTH = 4;

/** What a tool is given, as rows of a name and a value. Text that is no JSON object is shown as it is. */
export function ArgumentRows({
  part: { args, argsText },
  texts,
}: {
  readonly part: PartOf<"tool-call">;
  readonly texts: ApprovalWords;
}) {
  const value = args ?? parse(argsText);
  const box = useRef<HTMLDivElement>(null);
  useScrollByKeys(box);
  return (
    <div ref={box} className="argument-box">
      {typeof value === "object" && value !== null ? (
        <Rows value={value} depth={1} texts={texts} />
      ) : (
        argsText.trim() !== "" && <LongText text={argsText} />
      )}
    </div>
  );
}

/** The box can be focused, and so scrolled by keys, only while it scrolls. */
function useScrollByKeys(box: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = box;
    if (!current?.firstElementChild) return undefined;
    const observer = new ResizeObserver(() => {
      if (current.scrollHeight > current.clientHeight) current.tabIndex = 0;
      else current.removeAttribute("tabindex");
    });
    observer.observe(current.firstElementChild);
    return () => observer.disconnect();
  }, [box]);
}

function Rows({
  value,
  depth,
  texts,
}: {
  readonly value: object;
  readonly depth: number;
  readonly texts: ApprovalWords;
}) {
  const [isWhole, setWhole] = useState(false);
  const entries: readonly (readonly [string, unknown])[] = Array.isArray(value)
    ? value.map((item: unknown, index) => [String(index + 1), item])
    : Object.entries(value);
  if (entries.length === 0) return depth === 1 ? null : "—";
  const shown = isWhole ? entries : entries.slice(0, SHOWN_ROWS);
  return (
    <>
      <dl className="argument-rows">
        {shown.map(([name, item]) => (
          <div key={name}>
            <dt dir="auto">{name}</dt>
            <dd>{valueView(item, depth, texts)}</dd>
          </div>
        ))}
      </dl>
      {shown.length < entries.length && (
        <button type="button" className="link-button" onClick={() => setWhole(true)}>
          {`${texts.showAll} (${entries.length})`}
        </button>
      )}
    </>
  );
}

function valueView(value: unknown, depth: number, texts: ApprovalWords): ReactNode {
  if (value === null || value === undefined || value === "") return "—";
  if (typeof value === "boolean") return value ? texts.yes : texts.no;
  if (typeof value === "string") return <LongText text={value} />;
  if (typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value) && value.length > 0 && value.every((item) => Object(item) !== item && item !== "")) {
    return <LongText text={value.map(String).join(", ")} />;
  }
  return depth < MAX_DEPTH ? (
    <Rows value={value} depth={depth + 1} texts={texts} />
  ) : (
    <LongText text={JSON.stringify(value)} />
  );
}

function LongText({ text }: { readonly text: string }) {
  const { words } = useChat();
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > SHOWN_CHARS;
  // Not in the middle of a surrogate pair.
  const start = text.slice(0, SHOWN_CHARS).replace(/[\ud800-\udbff]$/, "");
  return (
    <span className="argument-text" dir="auto">
      {isLong && !isWhole ? `${start}… ` : text}
      {isLong && (
        <>
          {" "}
          <button type="button" className="link-button" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? words.message.showLess : words.message.showAll}
          </button>
        </>
      )}
    </span>
  );
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
