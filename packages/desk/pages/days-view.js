import { listOrProblem, request } from "./api.js";
import { costColumn, projectColumn } from "./columns.js";
import { element } from "./element.js";
import { filters } from "./filters.js";
import { formatCost, formatCount, formatDay, formatDuration } from "./format.js";
import { table } from "./table.js";

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
    { name: "День", kind: "main", cell: dayLink },
    ...projectColumn(projects),
    count("Ответы", ({ runs }) => runs),
    count("Ошибки", ({ errors }) => errors, "error"),
    count("Прерваны", ({ interrupted }) => interrupted, "error"),
    count("Остановлены", ({ cancelled }) => cancelled),
    { name: "Первый текст", kind: "number", cell: ({ firstTokenMs }) => formatDuration(firstTokenMs) },
    count("Токены на входе", ({ inputTokens }) => inputTokens),
    count("Токены на выходе", ({ outputTokens }) => outputTokens),
    ...costColumn(projects, costOf),
    count("Возвраты", ({ rejoins }) => rejoins),
    count("Хорошо", ({ up }) => up),
    count("Плохо", ({ down }) => down),
  ];
  const read = async () => {
    /** @type {readonly Day[]} */
    const days = await request(`/days?${query}`);
    return days.length === 0
      ? element("p", { className: "note" }, "За эти дни ответов нет.")
      : element(
          "div",
          { className: "table" },
          table("Дни по UTC, новые сверху. Первый текст: в среднем.", columns, days),
        );
  };
  return { title: "По дням", content: [filters(place, []), await listOrProblem(read())] };
}

/** @param {Day} day */
function dayLink({ day, projectId }) {
  const query = new URLSearchParams({ project: projectId, from: day, to: day });
  return element("a", { href: `#/runs?${query}` }, formatDay(day));
}

/**
 * A column of numbers in which zeros step back.
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
  const title = unpriced.length === 0 ? "" : `Нет цены: ${unpriced.join(", ")}`;
  return element("span", { title }, unpriced.length === 0 ? formatCost(cost) : `от ${formatCost(cost)}`);
}
