/** The host's own texts in place of the locale's (the option `words`). This code loads only if the host sets some. */
import type { Words } from "./locales/ru.ts";
import type { NitkaWords } from "./nitka-words.ts";

type InterfaceText = string | ((...values: never[]) => string);
type TextGroups = Readonly<Record<string, Readonly<Record<string, InterfaceText>>>>;

/** The optional groups of the words, each with all its names. */
type LazyGroups = {
  readonly [G in keyof Words as undefined extends Words[G] ? G : never]-?: Required<NonNullable<Words[G]>>;
};

/** The names of the texts that are not loaded yet: the files `*-words.ts` load when they are needed. */
const lazyGroups: LazyGroups = {
  failureCodes: {
    upstream_unavailable: "",
    upstream_limited: "",
    upstream_refused: "",
    context_too_long: "",
    silent: "",
    not_kept: "",
    empty: "",
    failed: "",
  },
  approval: {
    required: "",
    allow: "",
    deny: "",
    waiting: "",
    allowed: "",
    denied: "",
    elsewhere: "",
    activity: "",
    failed: "",
    yes: "",
    no: "",
    showAll: "",
  },
  feedback: { good: "", bad: "", reason: "", send: "", thanks: "", failed: "", reasonFailed: "" },
  cutOff: { length: "", filtered: "", continue: "", question: "" },
  restore: { removed: "", restore: "", restored: "", failed: "" },
  search: {
    field: "",
    clear: "",
    results: "",
    loading: "",
    found: () => "",
    none: "",
    noneAdvice: "",
    failed: "",
  },
  voice: {
    dictate: "",
    stopDictation: "",
    allowing: "",
    listening: "",
    dictationEnded: "",
    micDenied: "",
    micMissing: "",
    serviceDenied: "",
    noSpeech: "",
    noNetwork: "",
    noLanguage: "",
    dictationFailed: "",
    read: "",
    stopReading: "",
    readToEnd: "",
    noVoice: "",
    readingFailed: "",
  },
  threadMenu: {
    label: "",
    copy: "",
    copied: "",
    download: "",
    downloaded: "",
    failed: "",
    openPage: "",
    attachments: "",
    sources: "",
  },
  panel: { widen: "", narrow: "" },
  table: { copy: "", save: "", name: "" },
  paste: { asFile: "", name: "" },
  model: { regenerate: "" },
  citation: { source: () => "" },
};

/**
 * Replaces some of the locale's words with the host's own texts. A text that cannot be used is reported, and the locale's
 * stays.
 *
 * @example
 * overrideWords(en, { "composer.send": "Ask", "composer.snd": "Ask" }, reportError).composer.send // "Ask"
 * // and reportError is called with: words has a key that the interface does not know: "composer.snd".
 */
export function overrideWords(words: Words, hostTexts: NitkaWords, reportError: (error: Error) => void): Words {
  const groups: TextGroups = { ...words, ...lazyGroups };
  const overrides: Record<string, Record<string, InterfaceText>> = {};
  for (const [key, hostText] of Object.entries(hostTexts) as readonly (readonly [string, unknown])[]) {
    // Templates write `undefined` or `null` for a text that they leave out.
    if (hostText === undefined || hostText === null) continue;
    const [groupName = "", name = "", ...rest] = key.split(".");
    const group = rest.length === 0 && Object.hasOwn(groups, groupName) ? groups[groupName] : undefined;
    if (!group || !Object.hasOwn(group, name)) {
      reportError(new TypeError(`Nitka: words has a key that the interface does not know: "${key}".`));
      continue;
    }
    const text = usableText(key, hostText, group[name] ?? "", reportError);
    if (text !== undefined) (overrides[groupName] ??= {})[name] = text;
  }
  const changedGroups = Object.entries(overrides).map(([groupName, texts]) => [
    groupName,
    // The other texts of these groups are not loaded yet. The views that load them add them.
    Object.hasOwn(words, groupName) ? { ...groups[groupName], ...texts } : texts,
  ]);
  return { ...words, ...(Object.fromEntries(changedGroups) as Partial<Words>) };
}

/** The host's text if it is of the same kind as the locale's. A function that fails is replaced by the locale's. */
function usableText(
  key: string,
  hostText: unknown,
  localeText: InterfaceText,
  reportError: (error: Error) => void,
): InterfaceText | undefined {
  if (typeof localeText === "string") {
    if (typeof hostText === "string") return hostText;
    reportError(new TypeError(`Nitka: words["${key}"] must be a string, not of the type ${typeof hostText}.`));
    return undefined;
  }
  if (typeof hostText !== "function") {
    reportError(new TypeError(`Nitka: words["${key}"] must be a function, not of the type ${typeof hostText}.`));
    return undefined;
  }
  let isReported = false;
  return (...values) => {
    let cause: unknown;
    try {
      const text: unknown = Reflect.apply(hostText, undefined, values);
      if (typeof text === "string") return text;
      cause = new TypeError(`Nitka: words["${key}"] must give a string, not of the type ${typeof text}.`);
    } catch (error) {
      cause = error;
    }
    // The function is called in every render. Its error is reported once, and not while React renders.
    if (!isReported) queueMicrotask(() => reportError(cause instanceof Error ? cause : new Error(String(cause))));
    isReported = true;
    return localeText(...values);
  };
}
