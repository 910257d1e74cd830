/** A page's own texts in place of the locale's. This code loads for pages that have some. */
import type { FailureCode } from "@nitka/protocol";
import type { Words } from "./locales/ru.ts";
import type { NitkaWords } from "./own-words.ts";

type Word = string | ((...values: never[]) => string);
type Groups = Readonly<Record<string, Readonly<Record<string, Word>>>>;

/** Their texts load with an answer; their names are here. */
const failureCodes: Readonly<Record<FailureCode, string>> = {
  upstream_unavailable: "",
  upstream_limited: "",
  upstream_refused: "",
  context_too_long: "",
  silent: "",
  not_kept: "",
  empty: "",
  failed: "",
};

/**
 * The locale's words with the page's own among them. What cannot be used is told of, and the locale's text stays: a chat
 * with one text amiss is better than none.
 */
export function overrideWords(words: Words, own: NitkaWords, tell: (error: Error) => void): Words {
  const known: Groups = { ...words, failureCodes };
  const changed: Record<string, Record<string, Word>> = {};
  for (const [key, text] of Object.entries(own) as readonly (readonly [string, unknown])[]) {
    // What is left out may also be `undefined` or `null`, as templates make it.
    if (text === undefined || text === null) continue;
    const [group = "", name = "", ...rest] = key.split(".");
    const ours = rest.length === 0 && Object.hasOwn(known, group) ? known[group] : undefined;
    if (!ours || !Object.hasOwn(ours, name)) {
      tell(new TypeError(`Nitka: words has a key that the interface does not know: "${key}".`));
      continue;
    }
    const word = wordOf(key, text, ours[name] ?? "", tell);
    if (word !== undefined) (changed[group] ??= {})[name] = word;
  }
  const groups = Object.entries(changed).map(([group, texts]) => [
    group,
    group === "failureCodes" ? texts : { ...known[group], ...texts },
  ]);
  return { ...words, ...(Object.fromEntries(groups) as Partial<Words>) };
}

function wordOf(key: string, text: unknown, ours: Word, tell: (error: Error) => void): Word | undefined {
  if (typeof ours === "string") {
    if (typeof text === "string") return text;
    tell(new TypeError(`Nitka: words["${key}"] must be a string, not of the type ${typeof text}.`));
    return undefined;
  }
  if (typeof text !== "function") {
    tell(new TypeError(`Nitka: words["${key}"] must be a function, not of the type ${typeof text}.`));
    return undefined;
  }
  let isTold = false;
  return (...values) => {
    let cause: unknown;
    try {
      const said: unknown = Reflect.apply(text, undefined, values);
      if (typeof said === "string") return said;
      cause = new TypeError(`Nitka: words["${key}"] must give a string, not of the type ${typeof said}.`);
    } catch (error) {
      cause = error;
    }
    // It is called whenever the view is drawn: the page hears of it once, and not in the middle of the drawing.
    if (!isTold) queueMicrotask(() => tell(cause instanceof Error ? cause : new Error(String(cause))));
    isTold = true;
    return ours(...values);
  };
}
