import { useRef, useState } from "react";
import type { ReactNode } from "react";
import type { ApprovalWords } from "../../i18n/approval-words.ts";
import { useChat } from "../chat-context.tsx";
import { FoldButton } from "../primitives/disclosure.tsx";
import { useScrollEdges } from "../primitives/use-scroll-edges.ts";
import type { PartOf } from "../chat-context.tsx";

/** The length that is shown before the visitor unfolds the rest. */
const SHOWN_CHARS = 240;
const SHOWN_ROWS = 12;

/** Deeper values are shown as JSON. */
const MAX_DEPTH = 4;

/**
 * The arguments of a tool as rows of a name and a value. Text that is not a JSON object is shown as it is.
 *
 * @param schema the JSON Schema of the arguments; a property's `title` is shown instead of its name
 */
export function ArgumentRows({
  part: { args, argsText },
  schema,
  texts,
}: {
  readonly part: PartOf<"tool-call">;
  readonly schema: unknown;
  readonly texts: ApprovalWords;
}) {
  const value = args ?? parse(argsText);
  const { words } = useChat();
  const box = useRef<HTMLDivElement>(null);
  useScrollEdges(box, words.message.details);
  return (
    <div ref={box} className="argument-box">
      {typeof value === "object" && value !== null ? (
        <Rows value={value} schema={schema} depth={1} texts={texts} />
      ) : (
        argsText.trim() !== "" && <LongText text={argsText} />
      )}
    </div>
  );
}

function Rows({
  value,
  schema,
  depth,
  texts,
}: {
  readonly value: object;
  readonly schema: unknown;
  readonly depth: number;
  readonly texts: ApprovalWords;
}) {
  const [isWhole, setWhole] = useState(false);
  const entries = entriesOf(value, schema);
  if (entries.length === 0) return depth === 1 ? null : "—";
  const shown = isWhole ? entries : entries.slice(0, SHOWN_ROWS);
  return (
    <>
      <dl className="argument-rows">
        {shown.map(({ name, label, item, itemSchema }) => (
          <div key={name}>
            <dt dir="auto">{label}</dt>
            <dd>{valueView(item, itemSchema, depth, texts)}</dd>
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

interface Entry {
  readonly name: string;
  /** The label before the value. */
  readonly label: string;
  readonly item: unknown;
  readonly itemSchema: unknown;
}

function entriesOf(value: object, schema: unknown): readonly Entry[] {
  if (Array.isArray(value)) {
    const itemSchema = fieldOf(schema, "items");
    return value.map((item: unknown, index) => ({
      name: String(index),
      label: String(index + 1),
      item,
      itemSchema,
    }));
  }
  const properties = fieldOf(schema, "properties");
  return Object.entries(value).map(([name, item]) => {
    const itemSchema = fieldOf(properties, name);
    const title = fieldOf(itemSchema, "title");
    const label = typeof title === "string" && title.trim() !== "" ? title : name;
    return { name, label, item, itemSchema };
  });
}

/** A field of a value that may not be an object. */
function fieldOf(value: unknown, name: string): unknown {
  const held = Object(value) as Readonly<Record<string, unknown>>;
  return Object.hasOwn(held, name) ? held[name] : undefined;
}

function valueView(value: unknown, schema: unknown, depth: number, texts: ApprovalWords): ReactNode {
  if (value === null || value === undefined || value === "") return "—";
  if (typeof value === "boolean") return value ? texts.yes : texts.no;
  if (typeof value === "string") return <LongText text={value} />;
  if (typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value) && value.length > 0 && value.every((item) => Object(item) !== item && item !== "")) {
    return <LongText text={value.map(String).join(", ")} />;
  }
  return depth < MAX_DEPTH ? (
    <Rows value={value} schema={schema} depth={depth + 1} texts={texts} />
  ) : (
    <LongText text={JSON.stringify(value)} />
  );
}

function LongText({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > SHOWN_CHARS;
  // A surrogate pair is not split.
  const start = text.slice(0, SHOWN_CHARS).replace(/[\ud800-\udbff]$/, "");
  return (
    <span className="plain-text" dir="auto">
      {isLong && !isWhole ? `${start}… ` : text}
      {isLong && (
        <>
          {" "}
          <FoldButton open={isWhole} onToggle={() => setWhole(!isWhole)} />
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
