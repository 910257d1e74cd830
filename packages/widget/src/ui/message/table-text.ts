/** A table's cells, the head first. */
type Rows = readonly (readonly string[])[];

export function rowsOf(table: HTMLTableElement | null | undefined): Rows {
  return [...(table?.rows ?? [])].map(({ cells }) => [...cells].map((cell) => cellText(cell)));
}

/** For spreadsheets: cells divided by tabs. A tab or a line break inside a cell would divide it. */
export function toTsv(rows: Rows): string {
  return rows.map((row) => row.map((cell) => cell.replaceAll(/\s+/g, " ")).join("\t")).join("\n");
}

/** For letters and documents. */
export function toHtml([head = [], ...body]: Rows): string {
  const line = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join("")}</tr>`;
  return `<table><thead>${line(head, "th")}</thead><tbody>${body.map((row) => line(row, "td")).join("")}</tbody></table>`;
}

/**
 * RFC 4180. A cell that a spreadsheet would carry out as a formula gets an apostrophe: what a model writes may come from a
 * page of anybody.
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

/** How a formula begins; in some spreadsheets also with the wide signs. */
const BEGINS_FORMULA = /^[=+\-@＝＋－＠\t\r]/;

/** A sign alone, or a number with it, that ends the cell or goes on in words: «-5 °C». An operator makes it a formula. */
const SIGNED = /^[+-](?:$|[.,]?\d[\d\s.,]*%?\s*(?:$|(?!e[+-]?\d)[^\d\s.,%+\-*/^&=<>:|!]))/i;

/** A call, a cell of another sheet, another program's data (DDE): nothing of it stands in a text that begins with a number. */
const REACHES_OUT = /[\p{L}\d.%]\(|![\p{L}$]|\|/u;

/**
 * OWASP's advice is to guard each cell that begins so. An apostrophe is seen in the table, though, and makes a text of a
 * number: those with a sign, and texts that begin with one, are left as they are.
 */
function isFormula(cell: string): boolean {
  return BEGINS_FORMULA.test(cell) && (!SIGNED.test(cell) || REACHES_OUT.test(cell));
}

/** Line breaks inside a cell stay. */
function cellText(cell: HTMLElement): string {
  const copy = cell.cloneNode(true) as HTMLElement;
  for (const lineBreak of copy.querySelectorAll("br")) lineBreak.replaceWith("\n");
  return copy.textContent.trim();
}

function escaped(text: string): string {
  const html = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return html.replaceAll("\n", "<br>");
}
