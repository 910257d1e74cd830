/** The known name that was probably meant: one that differs in case, or by one typo. */
export function nearestName(typed: string, known: readonly string[]): string | undefined {
  return known.find((name) => name.toLowerCase() === typed.toLowerCase() || isTypo(name, typed));
}

/**
 * Whether two words differ by one added, missing or changed letter, or by two swapped neighbours.
 *
 * @example isTypo("title", "tilte") // true
 */
function isTypo(word: string, typed: string): boolean {
  if (Math.abs(word.length - typed.length) > 1) return false;
  let start = 0;
  while (start < word.length && word[start] === typed[start]) start += 1;
  let end = 0;
  while (end < Math.min(word.length, typed.length) - start && word.at(-1 - end) === typed.at(-1 - end)) end += 1;
  const [left, right] = [word.slice(start, word.length - end), typed.slice(start, typed.length - end)];
  return (
    Math.max(left.length, right.length) <= 1 || (left.length === 2 && left === `${right[1] ?? ""}${right[0] ?? ""}`)
  );
}
