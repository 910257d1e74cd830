/**
 * The suffixes that Russian adds to a root, at the end of a stem: they form verbs, participles, nouns and adjectives.
 */
const ADDED =
  /(?:ирова|[оеыи]ва|[еая]ни?|[еаиюуя]т|[ауюя]щ|[ие]м|вш|тел|ник|ниц|[чщ]ик|ост|ств|ч?еск|л?ьн|[аеиоуыьяйвклнш])$/;

/** Letters that alternate at the end of a root: «указать», «укажу»; «поиск», «ищу». */
const turns = ["джзг", "ткцчщ", "сшх"];

/** The shortest root: shorter ones have only letters in common. */
const SHORTEST = 4;

/**
 * The common part of a Russian word family: a verb, its other aspect, its participles and its noun. It only serves
 * comparisons, and is not a grammatical root. For other stems it is the stem.
 *
 * @example ["удал", "удаля", "удален"].map(rootOf) // ["удал", "удал", "удал"]
 */
export function rootOf(stem: string): string {
  if (/[^а-я]/.test(stem)) return stem;
  let root = stem;
  let shorter = root.replace(ADDED, "");
  while (shorter !== root && shorter.length >= SHORTEST) {
    root = shorter;
    shorter = root.replace(ADDED, "");
  }
  root = root.replace(/(?<=[бвмпф])л$/, "").replace(/жд$/, "д");
  const last = root.at(-1) ?? "";
  return root.slice(0, -1) + (turns.find((letters) => letters.includes(last))?.[0] ?? last);
}
