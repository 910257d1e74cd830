/** The host's own texts in place of the locale's (the option `words`). This code loads only if the host sets some. */
import type { FailureCode } from "@nitka/protocol";
import type { ApprovalWords } from "./approval-words.ts";
import type { CitationWords } from "./citation-words.ts";
import type { CutOffWords } from "./cut-off-words.ts";
import type { FeedbackWords } from "./feedback-words.ts";
import type { ModelWords } from "./model-words.ts";
import type { PanelWords } from "./panel-words.ts";
import type { PasteWords } from "./paste-words.ts";
import type { Words } from "./locales/ru.ts";
import type { RestoreWords } from "./restore-words.ts";
import type { SearchWords } from "./search-words.ts";
import type { TableWords } from "./table-words.ts";
import type { VoiceWords } from "./voice-words.ts";
import type { ThreadMenuWords } from "./thread-menu-words.ts";
import type { NitkaWords } from "./nitka-words.ts";

type InterfaceText = string | ((...values: never[]) => string);
type TextGroups = Readonly<Record<string, Readonly<Record<string, InterfaceText>>>>;

/**
 * The names of the texts in failure-code-words.ts. They are repeated here, because those texts load with the first such
 * failure.
 */
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

/** As in approval-words.ts. */
const approval: Readonly<Record<keyof ApprovalWords, string>> = {
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
};

/** As in feedback-words.ts. */
const feedback: Readonly<Record<keyof FeedbackWords, string>> = {
  good: "",
  bad: "",
  reason: "",
  send: "",
  thanks: "",
  failed: "",
  reasonFailed: "",
};

/** As in cut-off-words.ts. */
const cutOff: Readonly<Record<keyof CutOffWords, string>> = { length: "", filtered: "", continue: "", question: "" };

/** As in restore-words.ts. */
const restore: Readonly<Record<keyof RestoreWords, string>> = {
  removed: "",
  restore: "",
  restored: "",
  failed: "",
};

/** As in search-words.ts. */
const search: Readonly<Record<keyof SearchWords, InterfaceText>> = {
  field: "",
  clear: "",
  results: "",
  loading: "",
  found: () => "",
  none: "",
  noneAdvice: "",
  failed: "",
};

/** As in voice-words.ts. */
const voice: Readonly<Record<keyof VoiceWords, string>> = {
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
};

/** As in thread-menu-words.ts. */
const threadMenu: Readonly<Record<keyof ThreadMenuWords, string>> = {
  label: "",
  copy: "",
  copied: "",
  download: "",
  downloaded: "",
  failed: "",
  openPage: "",
  attachments: "",
  sources: "",
};

/** As in panel-words.ts. */
const panel: Readonly<Record<keyof PanelWords, string>> = { widen: "", narrow: "" };

/** As in table-words.ts. */
const table: Readonly<Record<keyof TableWords, string>> = { copy: "", save: "", name: "" };

/** As in paste-words.ts. */
const paste: Readonly<Record<keyof PasteWords, string>> = { asFile: "", name: "" };

/** As in model-words.ts. */
const model: Readonly<Record<keyof ModelWords, string>> = { regenerate: "" };

/** As in citation-words.ts. */
const citation: Readonly<Record<keyof CitationWords, InterfaceText>> = { source: () => "" };

const lazyGroups = {
  failureCodes,
  approval,
  feedback,
  cutOff,
  restore,
  search,
  threadMenu,
  panel,
  table,
  paste,
  voice,
  model,
  citation,
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
