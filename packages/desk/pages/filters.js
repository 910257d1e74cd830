import { download } from "./controls.js";
import { element } from "./element.js";
import { words } from "./words.js";

/** The number of days that the server shows by default. */
const USUAL_DAYS = 14;

/** The most days that the server shows at once. */
const MAX_DAYS = 92;

/** @typedef {{ readonly name: string, readonly label: string, readonly choices: readonly (readonly [string, string])[] }} Choice */

/**
 * The form above a list. Each change updates the address, which loads the list again.
 *
 * @param {import("./view.d.ts").Place} place
 * @param {readonly Choice[]} choices
 * @param {string} figures the path of the list under the API, which also serves it as CSV
 * @param {URLSearchParams} [asked] the query of the CSV export. Default: the address's query
 */
export function filters({ name, query, projects }, choices, figures, asked = query) {
  /** @type {Choice} */
  const project = {
    name: "project",
    label: words.filters.project,
    choices: [["", words.filters.all], ...projects.map(({ id, title }) => /** @type {const} */ ([id, title ?? id]))],
  };
  const selects = [...(projects.length > 1 ? [project] : []), ...choices].map((choice) =>
    labelled(choice.label, select(choice, query.get(choice.name) ?? "")),
  );
  const [from, to] = /** @type {const} */ ([
    ["from", USUAL_DAYS - 1],
    ["to", 0],
  ]).map(([field, daysAgo]) => {
    const value = query.get(field) ?? dayBefore(new Date(), daysAgo);
    return element("input", { type: "date", name: field, required: true, value });
  });
  if (!from || !to) throw new Error("There are two dates");
  const form = element(
    "form",
    { className: "filters" },
    ...selects,
    labelled(words.filters.from, from),
    labelled(words.filters.to, to),
    download(`/desk/api/${figures}?${new URLSearchParams([...asked, ["format", "csv"]])}`, words.csv),
  );
  form.addEventListener("change", ({ target }) => {
    if (!form.reportValidity()) return;
    keepInOrder(from, to, target === to);
    const given = [...new FormData(form)].flatMap(([field, value]) =>
      typeof value === "string" && value !== "" ? [[field, value]] : [],
    );
    location.hash = `#/${name}?${new URLSearchParams(given)}`;
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  return form;
}

/**
 * @param {Choice} choice
 * @param {string} chosen
 */
function select({ name, choices }, chosen) {
  const options = choices.map(([value, label]) => element("option", { value, selected: value === chosen }, label));
  return element("select", { name }, ...options);
}

/**
 * @param {string} label
 * @param {HTMLElement} control
 */
function labelled(label, control) {
  return element("label", {}, element("span", {}, label), control);
}

/**
 * Moves the other date when the chosen one leaves no span, or too long a span.
 *
 * @param {HTMLInputElement} from
 * @param {HTMLInputElement} to
 * @param {boolean} isEndChosen
 */
function keepInOrder(from, to, isEndChosen) {
  const days = (Date.parse(to.value) - Date.parse(from.value)) / DAY_MS + 1;
  if (days >= 1 && days <= MAX_DAYS) return;
  const room = days < 1 ? 0 : MAX_DAYS - 1;
  if (isEndChosen) from.value = dayBefore(new Date(to.value), room);
  else to.value = dayBefore(new Date(from.value), -room);
}

const DAY_MS = 86_400_000;

/**
 * The UTC day that is some days before a date.
 *
 * @param {Date} date
 * @param {number} days
 */
function dayBefore(date, days) {
  return new Date(date.getTime() - days * DAY_MS).toISOString().slice(0, 10);
}
