import { element } from "./element.js";

/**
 * @template Row
 * @typedef {object} Column
 * @property {string} name
 * @property {(row: Row) => Node | string} cell
 * @property {"number" | "short" | "main"} [kind] `main` heads a row, also on a phone, where a row is a card; what is `short` stays in one line
 */

/**
 * A table that becomes a list of cards on a narrow page. The roles are explicit, because browsers drop those of a table
 * whose style is not a table's.
 *
 * @template Row
 * @param {string} caption
 * @param {readonly Column<Row>[]} columns
 * @param {readonly Row[]} rows
 */
export function table(caption, columns, rows) {
  const head = element(
    "tr",
    {},
    ...columns.map(({ name, kind = "" }) => element("th", { scope: "col", data: { kind } }, name)),
  );
  const body = rows.map((row) =>
    element(
      "tr",
      { role: "row" },
      ...columns.map(({ name, cell, kind = "" }) => element("td", { role: "cell", data: { kind, name } }, cell(row))),
    ),
  );
  return element(
    "table",
    { role: "table" },
    element("caption", {}, caption),
    element("thead", {}, head),
    element("tbody", {}, ...body),
  );
}
