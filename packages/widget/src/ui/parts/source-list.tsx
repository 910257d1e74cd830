import { useChat } from "../chat-context.tsx";
import { Disclosure } from "../primitives/disclosure.tsx";
import { OutwardLink } from "../primitives/outward-link.tsx";
import type { PartOf } from "./part-view.ts";

/** The answer's sources: one folded list at its end, each source once. */
export function SourceList({ parts }: { readonly parts: readonly PartOf<"source">[] }) {
  const { words } = useChat();
  const distinct = new Map(parts.map((part) => [`${part.n ?? ""} ${part.url || part.id}`, part]));
  const sources = [...distinct].toSorted(([, one], [, other]) => (one.n ?? 0) - (other.n ?? 0));
  return (
    <Disclosure className="sources" title={words.parts.sources(sources.length)}>
      {() => (
        <ol className="source-list">
          {sources.map(([key, part]) => (
            <li key={key} data-n={part.n}>
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
  // A document has no address, and an address of another scheme is no link.
  if (address?.protocol !== "https:" && address?.protocol !== "http:") return <span className="source">{name}</span>;
  return (
    <OutwardLink className="source" href={address.href}>
      <span className="source-title">{name}</span>
      {name !== address.host && <span className="source-host">{address.host}</span>}
    </OutwardLink>
  );
}
