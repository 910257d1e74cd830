import { words } from "./words.js";

/** @typedef {import("../src/run-figures.ts").ProjectFigures} Project */

/**
 * The column with a row's project, for an operator of several projects.
 *
 * @param {readonly Project[]} projects
 * @returns {readonly import("./table.js").Column<{ readonly projectId: string }>[]}
 */
export function projectColumn(projects) {
  return projects.length > 1
    ? [{ name: words.columns.project, kind: "short", cell: ({ projectId }) => projectId }]
    : [];
}

/**
 * The column of costs, if some project has prices.
 *
 * @template Row
 * @param {readonly Project[]} projects
 * @param {(row: Row) => Node | string} cell
 * @returns {readonly import("./table.js").Column<Row>[]}
 */
export function costColumn(projects, cell) {
  return projects.some(({ hasPrices }) => hasPrices) ? [{ name: words.columns.cost, kind: "number", cell }] : [];
}
