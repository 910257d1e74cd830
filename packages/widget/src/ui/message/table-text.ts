/** A table's cells, the head first. */
type Rows = readonly (readonly string[])[];

export function rowsOf(table: HTMLTableElement | null | undefined): Rows {
  return [...(table?.rows ?? [])].map(({ cells }) => [...cells].map((cell) => cellText(cell)));
}

/**
 * Cells separated by tabs, for spreadsheets. A tab or a line break inside a cell becomes a space, because it would split the
 * cell.
 */
export function toTsv(rows: Rows): string {
  return rows.map((row) => row.map((cell) => cell.replaceAll(/\s+/g, " ")).join("\t")).join("\n");
}

/** HTML for letters and documents. */
export function toHtml([head = [], ...body]: Rows): string {
  const line = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join("")}</tr>`;
  return `<table><thead>${line(head, "th")}</thead><tbody>${body.map((row) => line(row, "td")).join("")}</tbody></table>`;
}

/**
 * CSV as in RFC 4180. A cell that a spreadsheet would evaluate as a formula gets an apostrophe, because a model's text may come
 * from anybody's page.
 *
 * @example toCsv([["a", "b"], ["1,5", "=1+1"]]) // 'a,b\r\n"1,5",\'=1+1\r\n'
 */
export function toCsv(rows: Rows): string {
  const field = (cell: string) => {
    const text = isFormula(cell) ? `'${cell}` : cell;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map(field).join(",")}\r\n`).join("");
}

/** The first character of a formula. Some spreadsheets also accept the full-width characters. */
const BEGINS_FORMULA = /^[=+\-@＝＋－＠\t\r]/;

/**
 * A sign alone, or a signed number that ends the cell or is followed by words: «-5 °C». An operator after it makes it a
 * formula.
 */
const SIGNED = /^[+-](?:$|[.,]?\d[\d\s.,]*%?\s*(?:$|(?!e[+-]?\d)[^\d\s.,%+\-*/^&=<>:|!]))/i;

/**
 * A call, a cell of another sheet, or data of another program (DDE). A text that begins with a number contains none of these.
 */
const REACHES_OUT = /[\p{L}\d.%]\(|![\p{L}$]|\|/u;

/**
 * OWASP advises guarding every cell that begins like this. But an apostrophe is visible in the table and turns a number into
 * text, so signed numbers and texts that begin with one are left as they are.
 */
function isFormula(cell: string): boolean {
  return BEGINS_FORMULA.test(cell) && (!SIGNED.test(cell) || REACHES_OUT.test(cell));
}

/** Line breaks inside a cell are kept. */
function cellText(cell: HTMLElement): string {
  const copy = cell.cloneNode(true) as HTMLElement;
  for (const lineBreak of copy.querySelectorAll("br")) lineBreak.replaceWith("\n");
  return copy.textContent.trim();
}

function escaped(text: string): string {
  const html = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return html.replaceAll("\n", "<br>");
}
