import type { Words } from "../i18n/locales/ru.ts";
import { attachmentRules } from "../store/selectors.ts";
import type { ChatState, Failure } from "../store/state.ts";
import { useChat, useChatState } from "./chat-context.tsx";

/** The text for a failure: what happened and what to do, including the project's own limits. */
export function failureText(
  { kind }: Failure,
  { words, locale, config }: { readonly words: Words; readonly locale: string; readonly config: ChatState["config"] },
): string {
  const rules = attachmentRules(config);
  switch (kind) {
    case "attachment_size":
      return rules ? words.failures.attachment_size(formatBytes(rules.maxBytes, locale)) : words.failures.attachment;
    case "attachment_type":
      return rules ? words.failures.attachment_type(acceptedKinds(rules.accept, words)) : words.failures.attachment;
    case "attachment_count":
      return rules ? words.failures.attachment_count(rules.maxCount) : words.failures.attachment;
    default:
      return words.failures[kind];
  }
}

/** @example acceptedKinds("image/*,application/pdf,.docx", ru) // "картинки, PDF, DOCX" */
function acceptedKinds(accept: string, words: Words): string {
  const fileKinds: Readonly<Record<string, string>> = words.fileKinds;
  const kinds = accept.split(",").map((token) => {
    const kind = token.trim().toLowerCase();
    const [major = "", minor = ""] = kind.split("/");
    if (minor === "*" || major === "text") return fileKinds[major] ?? kind;
    return (kind.startsWith(".") ? kind.slice(1) : minor || kind).toUpperCase();
  });
  return [...new Set(kinds)].join(", ");
}

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
/** Units are decimal, like the limits of files and CLDR's names of the units: 10,000,000 bytes are 10 MB. */
const STEP = 1000;

/**
 * A size in the locale's units. A kilobyte has 1000 bytes.
 *
 * @example formatBytes(10_000_000, "ru") // "10 МБ"
 */
export function formatBytes(bytes: number, locale: string): string {
  const power = Math.min(Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(STEP)), UNITS.length - 1);
  const amount = bytes / STEP ** power;
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: UNITS[power] ?? "byte",
    unitDisplay: "short",
    maximumFractionDigits: amount < 10 && power > 0 ? 1 : 0,
  }).format(amount);
}

/** Returns `failureText` for the interface's words and the project's limits. */
export function useFailureText(): (failure: Failure) => string {
  const { words, locale } = useChat();
  const config = useChatState((state) => state.config);
  return (failure) => failureText(failure, { words, locale, config });
}
