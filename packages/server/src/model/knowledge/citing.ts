import type { StreamEvent } from "@nitka/protocol";
import { CitationText } from "./citation-text.ts";
import { quoteFor } from "./quote.ts";
import type { FoundPassages } from "./search-site.ts";

/**
 * The events of an answer with its citations: text after a search cites the passages in one form, and each passage is
 * sent as a source before the first text that cites it. All other events pass unchanged, and so does an answer without
 * searches.
 *
 * @example
 * // found: 1 (Доставка)
 * // events: text-delta "Два дня【1】, в Уфу три [7]."
 * // gives: source-url 1 · text-delta "Два дня[1], в Уфу три."
 */
export async function* citing<End>(
  events: AsyncGenerator<StreamEvent, End, undefined>,
  found: FoundPassages,
  onUnsourced?: (n: number) => void,
): AsyncGenerator<StreamEvent, End, undefined> {
  const blocks = new Map<string | undefined, CitationText>();
  const sourced = new Set<number>();
  let sources: StreamEvent[] = [];

  const cites = (n: number, before: string): boolean => {
    const passage = found.passage(n);
    if (!passage) onUnsourced?.(n);
    if (!passage || sourced.has(n)) return passage !== undefined;
    sourced.add(n);
    const { title, heading, url, text } = passage;
    const nitka = { n, quote: quoteFor(text, before), ...(heading !== undefined && { heading }) };
    sources.push({ type: "source-url", sourceId: String(n), url, title, providerMetadata: { nitka } });
    return true;
  };
  const written = (id: string | undefined, delta: string): readonly StreamEvent[] => {
    const before = sources;
    sources = [];
    return delta === "" ? before : [...before, { type: "text-delta", id, delta }];
  };
  const flushed = () => [...blocks].flatMap(([id, block]) => written(id, block.flush()));

  try {
    for (;;) {
      const { done, value } = await events.next();
      if (done) {
        yield* flushed();
        return value;
      }
      if (value.type === "text-start" && found.wasAsked) blocks.set(value.id, new CitationText(cites));
      const block = "id" in value ? blocks.get(value.id) : undefined;
      if (value.type === "text-delta" && block) {
        yield* written(value.id, block.push(value.delta));
        continue;
      }
      if (value.type === "text-end" && block) {
        yield* written(value.id, block.flush());
        blocks.delete(value.id);
      } else if (value.type.startsWith("tool-") || value.type === "finish-step") {
        yield* flushed();
      }
      yield value;
    }
  } catch (error) {
    yield* flushed();
    throw error;
  }
}
