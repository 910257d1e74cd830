import { listOrProblem, request, textOf } from "./api.js";
import { costColumn, projectColumn } from "./columns.js";
import { element } from "./element.js";
import { filters } from "./filters.js";
import { formatCost, formatCount, formatDuration, formatTime, formatTokens } from "./format.js";
import { table } from "./table.js";
import { words } from "./words.js";

/** @typedef {import("../src/run-figures.ts").RunFigures} Run */

/**
 * The list of runs.
 *
 * @param {import("./view.d.ts").Place} place
 * @returns {Promise<import("./view.d.ts").View>}
 */
export async function runsView(place) {
  const form = filters(
    place,
    [
      {
        name: "status",
        label: words.columns.outcome,
        choices: [["", words.outcomes.any], ...Object.entries(words.outcomes.names)],
      },
    ],
    "runs",
  );
  const { projects } = place;
  /** @type {import("./table.js").Column<Run>[]} */
  const columns = [
    { name: words.columns.conversation, kind: "main", cell: conversationLink },
    { name: words.columns.start, kind: "short", cell: ({ startedAt }) => formatTime(startedAt) },
    ...projectColumn(projects),
    { name: words.columns.outcome, cell: statusMark },
    { name: words.columns.firstText, kind: "number", cell: ({ firstTokenMs }) => formatDuration(firstTokenMs) },
    { name: words.columns.whole, kind: "number", cell: ({ durationMs }) => formatDuration(durationMs) },
    { name: words.columns.tokens, kind: "number", cell: ({ tokens }) => formatTokens(tokens) },
    ...costColumn(projects, ({ cost }) => formatCost(cost)),
    {
      name: words.columns.rejoins,
      kind: "number",
      cell: ({ rejoins }) => (rejoins === undefined ? "—" : formatCount(rejoins)),
    },
    { name: words.columns.model, kind: "short", cell: ({ modelId = "—" }) => modelId },
  ];
  return {
    title: words.sections.runs,
    content: [form, await listOrProblem(pages(words.runs.caption, columns, place.query))],
  };
}

/**
 * The answers that visitors have rated.
 *
 * @param {import("./view.d.ts").Place} place
 * @returns {Promise<import("./view.d.ts").View>}
 */
export async function feedbackView(place) {
  const query = new URLSearchParams(place.query);
  if (!query.has("rating")) query.set("rating", "any");
  const form = filters(
    place,
    [
      {
        name: "rating",
        label: words.columns.rating,
        choices: [["", words.ratings.any], ...Object.entries(words.ratings.names)],
      },
    ],
    "runs",
    query,
  );
  /** @type {import("./table.js").Column<Run>[]} */
  const columns = [
    { name: words.columns.conversation, kind: "main", cell: conversationLink },
    { name: words.columns.rating, cell: ratingMark },
    { name: words.columns.complaint, cell: ({ feedback }) => feedback?.reason ?? "—" },
    { name: words.columns.start, kind: "short", cell: ({ startedAt }) => formatTime(startedAt) },
    ...projectColumn(place.projects),
  ];
  return {
    title: words.sections.feedback,
    content: [form, await listOrProblem(pages(words.runs.rated, columns, query))],
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
  if (runs.length === 0) return element("p", { className: "note" }, words.runs.none);
  const list = table(caption, columns, runs);
  const more = element("button", { type: "button", className: "quiet" }, words.more);
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
  if (!isReadable) return element("span", { className: "quiet-text" }, words.runs.deleted);
  return element("a", { href: `#/run/${encodeURIComponent(runId)}` }, title ?? words.untitled);
}

/**
 * A run's status in words, with the code of its error.
 *
 * @param {Run} run
 */
export function statusMark({ status }) {
  const { type, reason = "error" } = status;
  const name = type === "incomplete" ? reason : type;
  const code = status.code === undefined ? undefined : element("code", {}, status.code);
  return element(
    "span",
    { className: "status", data: { status: name }, title: status.error ?? "" },
    words.outcomes.names[name] ?? name,
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
  return element("span", { className: "status", data: { rating } }, words.ratings.names[rating] ?? "—");
}
