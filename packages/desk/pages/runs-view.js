import { listOrProblem, request, textOf } from "./api.js";
import { costColumn, projectColumn } from "./columns.js";
import { element } from "./element.js";
import { filters } from "./filters.js";
import { formatCost, formatCount, formatDuration, formatTime, formatTokens } from "./format.js";
import { table } from "./table.js";
import { ratingNames, statusNames, statusOf } from "./words.js";

/** @typedef {import("../src/run-figures.ts").RunFigures} Run */

/**
 * The list of runs.
 *
 * @param {import("./view.d.ts").Place} place
 * @returns {Promise<import("./view.d.ts").View>}
 */
export async function runsView(place) {
  const form = filters(place, [
    { name: "status", label: "Итог", choices: [["", "Любой"], ...Object.entries(statusNames)] },
  ]);
  const { projects } = place;
  /** @type {import("./table.js").Column<Run>[]} */
  const columns = [
    { name: "Разговор", kind: "main", cell: conversationLink },
    { name: "Начало", kind: "short", cell: ({ startedAt }) => formatTime(startedAt) },
    ...projectColumn(projects),
    { name: "Итог", cell: statusMark },
    { name: "Первый текст", kind: "number", cell: ({ firstTokenMs }) => formatDuration(firstTokenMs) },
    { name: "Весь ответ", kind: "number", cell: ({ durationMs }) => formatDuration(durationMs) },
    { name: "Токены", kind: "number", cell: ({ tokens }) => formatTokens(tokens) },
    ...costColumn(projects, ({ cost }) => formatCost(cost)),
    { name: "Возвраты", kind: "number", cell: ({ rejoins }) => (rejoins === undefined ? "—" : formatCount(rejoins)) },
    { name: "Модель", kind: "short", cell: ({ modelId = "—" }) => modelId },
  ];
  return { title: "Ответы", content: [form, await listOrProblem(pages("Ответы, новые сверху", columns, place.query))] };
}

/**
 * The answers that visitors have rated.
 *
 * @param {import("./view.d.ts").Place} place
 * @returns {Promise<import("./view.d.ts").View>}
 */
export async function feedbackView(place) {
  const form = filters(place, [
    { name: "rating", label: "Оценка", choices: [["", "Любая"], ...Object.entries(ratingNames)] },
  ]);
  const query = new URLSearchParams(place.query);
  if (!query.has("rating")) query.set("rating", "any");
  /** @type {import("./table.js").Column<Run>[]} */
  const columns = [
    { name: "Разговор", kind: "main", cell: conversationLink },
    { name: "Оценка", cell: ratingMark },
    { name: "Что не так", cell: ({ feedback }) => feedback?.reason ?? "—" },
    { name: "Начало", kind: "short", cell: ({ startedAt }) => formatTime(startedAt) },
    ...projectColumn(place.projects),
  ];
  return {
    title: "Отзывы",
    content: [form, await listOrProblem(pages("Ответы с оценкой, новые сверху", columns, query))],
  };
}

/**
 * @param {string} caption
 * @param {readonly import("./table.js").Column<Run>[]} columns
 * @param {URLSearchParams} query
 */
async function pages(caption, columns, query) {
  /** @param {string} after */
  const read = async (after) => {
    const asked = new URLSearchParams(query);
    if (after !== "") asked.set("after", after);
    return /** @type {Promise<{ readonly runs: readonly Run[], readonly next?: string }>} */ (
      request(`/runs?${asked}`)
    );
  };
  const { runs, next } = await read("");
  if (runs.length === 0) return element("p", { className: "note" }, "За эти дни ничего не нашлось.");
  const list = table(caption, columns, runs);
  const more = element("button", { type: "button", className: "quiet" }, "Показать ещё");
  const problem = element("p", { className: "problem", role: "alert" });
  let place = next;
  more.hidden = place === undefined;
  const append = async () => {
    more.disabled = true;
    problem.textContent = "";
    try {
      const page = await read(place ?? "");
      const rows = table(caption, columns, page.runs).tBodies[0]?.rows ?? [];
      const [first] = rows;
      list.tBodies[0]?.append(...rows);
      place = page.next;
      more.hidden = place === undefined;
      first?.querySelector("a")?.focus();
    } catch (error) {
      problem.textContent = textOf(error);
    }
    more.disabled = false;
  };
  more.addEventListener("click", () => void append());
  return element("div", {}, element("div", { className: "table" }, list), problem, more);
}

/** @param {Run} run */
function conversationLink({ runId, title, isReadable }) {
  if (!isReadable) return element("span", { className: "quiet-text" }, "Удалён посетителем");
  return element("a", { href: `#/run/${encodeURIComponent(runId)}` }, title ?? "Без названия");
}

/**
 * A run's status in words, with the code of its error.
 *
 * @param {Run} run
 */
export function statusMark({ status }) {
  const name = statusOf(status);
  const code = status.code === undefined ? undefined : element("code", {}, status.code);
  return element(
    "span",
    { className: "status", data: { status: name }, title: status.error ?? "" },
    statusNames[name] ?? name,
    code,
  );
}

/**
 * A rating in words.
 *
 * @param {Run} run
 */
export function ratingMark({ feedback }) {
  const rating = feedback?.rating ?? "";
  return element("span", { className: "status", data: { rating } }, ratingNames[rating] ?? "—");
}
