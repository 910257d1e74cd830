import { useChat } from "../chat-context.tsx";
import { Disclosure } from "../primitives/disclosure.tsx";
import { OutwardLink } from "../primitives/outward-link.tsx";
import type { PartOf } from "../chat-context.tsx";

/** The answer's sources: one folded list at its end, each page once, with the numbers under which the text cites it. */
export function SourceList({ parts }: { readonly parts: readonly PartOf<"source">[] }) {
  const { words } = useChat();
  const pages = new Map<string, { readonly part: PartOf<"source">; readonly numbers: Set<number> }>();
  for (const part of parts.toSorted((one, other) => (one.n ?? 0) - (other.n ?? 0))) {
    const key = `${part.url.replace(/#.*/s, "") || part.id} ${part.title ?? ""}`;
    const page = pages.get(key) ?? { part, numbers: new Set() };
    pages.set(key, page);
    if (part.n !== undefined) page.numbers.add(part.n);
  }
  return (
    <Disclosure className="sources" title={words.parts.sources(pages.size)}>
      {() => (
        <ol className="source-list">
          {[...pages].map(([key, { part, numbers }]) => (
            <li key={key} data-n={[...numbers].join(", ") || undefined}>
              <Source part={part} />
            </li>
          ))}
        </ol>
      )}
    </Disclosure>
  );
}

function Source({ part: { url, title } }: { readonly part: PartOf<"source"> }) {
  const isAddress = url !== "" && URL.canParse(url, document.baseURI);
  const address = isAddress ? new URL(url, document.baseURI) : undefined;
  const name = title?.trim() || address?.host || url;
  // A document has no address, and an address of another scheme is not a link.
  if (address?.protocol !== "https:" && address?.protocol !== "http:")
    return (
      <span className="source" dir="auto">
        {name}
      </span>
    );
  return (
    <OutwardLink className="source" href={address.href}>
      <span className="source-title" dir="auto">
        {name}
      </span>
      {name !== address.host && <span className="source-host">{address.host}</span>}
    </OutwardLink>
  );
}
