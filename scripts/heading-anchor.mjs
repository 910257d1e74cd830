/**
 * The anchor that GitHub makes from a heading's text. The site uses the same, so that a link works in both.
 *
 * @param {string} heading in markdown, without its signs
 * @returns {string}
 * @example headingAnchor("1C-Bitrix: `footer.php`") // "1c-bitrix-footerphp"
 */
export function headingAnchor(heading) {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, "")
    .replaceAll(" ", "-");
}
