import { listOrProblem, request } from "./api.js";
import { costColumn, projectColumn } from "./columns.js";
import { element } from "./element.js";
import { filters } from "./filters.js";
import { formatCost, formatCount, formatDay, formatDuration } from "./format.js";
import { table } from "./table.js";
import { words } from "./words.js";

/** @typedef {import("../src/run-figures.ts").DayFigures} Day */

/**
 * Runs, tokens, costs and ratings by day and project.
 *
 * @param {import("./view.d.ts").Place} place
 * @returns {Promise<import("./view.d.ts").View>}
 */
export async function daysView(place) {
  const { projects, query } = place;
  /** @type {import("./table.js").Column<Day>[]} */
  const columns = [
    { name: words.days.day, kind: "main", cell: dayLink },
    ...projectColumn(projects),
    count(words.days.runs, ({ runs }) => runs),
    count(words.days.errors, ({ errors }) => errors, "error"),
    count(words.days.interrupted, ({ interrupted }) => interrupted, "error"),
    count(words.days.cancelled, ({ cancelled }) => cancelled),
    { name: words.columns.firstText, kind: "number", cell: ({ firstTokenMs }) => formatDuration(firstTokenMs) },
    count(words.days.input, ({ inputTokens }) => inputTokens),
    count(words.days.output, ({ outputTokens }) => outputTokens),
    ...costColumn(projects, costOf),
    count(words.columns.rejoins, ({ rejoins }) => rejoins),
    count(words.days.up, ({ up }) => up),
    count(words.days.down, ({ down }) => down),
  ];
  const read = async () => {
    /** @type {readonly Day[]} */
    const days = await request(`/days?${query}`);
    return days.length === 0
      ? element("p", { className: "note" }, words.days.none)
      : element("div", { className: "table" }, table(words.days.caption, columns, days));
  };
  return { title: words.sections.days, content: [filters(place, [], "days"), await listOrProblem(read())] };
}

/** @param {Day} day */
function dayLink({ day, projectId }) {
  const query = new URLSearchParams({ project: projectId, from: day, to: day });
  return element("a", { href: `#/runs?${query}` }, formatDay(day));
}

/**
 * A column of numbers in which zeros are less prominent.
 *
 * @param {string} name
 * @param {(day: Day) => number} of
 * @param {string} [tone]
 * @returns {import("./table.js").Column<Day>}
 */
function count(name, of, tone = "") {
  return {
    name,
    kind: "number",
    cell: (day) => element("span", { data: { tone: of(day) === 0 ? "zero" : tone } }, formatCount(of(day))),
  };
}

/** @param {Day} day */
function costOf({ cost }) {
  const { unpriced = [] } = cost ?? {};
  const title = unpriced.length === 0 ? "" : words.days.unpriced(unpriced.join(", "));
  return element("span", { title }, unpriced.length === 0 ? formatCost(cost) : words.days.atLeast(formatCost(cost)));
}
