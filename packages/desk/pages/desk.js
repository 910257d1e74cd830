import { Refusal, request, textOf } from "./api.js";
import { daysView } from "./days-view.js";
import { element } from "./element.js";
import { knowledgeView } from "./knowledge-view.js";
import { recordingView, runView } from "./run-view.js";
import { feedbackView, runsView } from "./runs-view.js";
import { languageButton } from "./language-button.js";
import { signInView } from "./sign-in-view.js";
import { language, words } from "./words.js";

/** @typedef {import("./view.d.ts").View} View */

/** @type {Readonly<Record<string, (place: import("./view.d.ts").Place) => Promise<View>>>} */
const views = {
  runs: runsView,
  days: daysView,
  feedback: feedbackView,
  run: runView,
  recording: recordingView,
  knowledge: knowledgeView,
};

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const bar = /** @type {HTMLElement} */ (document.querySelector(".bar"));

const who = document.getElementById("operator");

let close = () => {};
let turn = 0;

/** Fills the page's frame with texts in the operator's language. */
function translate() {
  document.documentElement.lang = language;
  for (const each of document.querySelectorAll("[data-word]")) {
    const { word = "" } = /** @type {HTMLElement} */ (each).dataset;
    each.append(frameWords[word] ?? "");
  }
  bar.querySelector("nav")?.setAttribute("aria-label", words.nav);
  document.getElementById("leave")?.before(languageButton());
}

/** @type {Readonly<Record<string, string>>} */
const frameWords = { ...words.sections, desk: words.desk, leave: words.leave };

/** @param {View} view */
function show(view) {
  close();
  close = view.close ?? (() => {});
  document.title = `${view.title} — ${words.desk}`;
  main.replaceChildren(...view.content);
  view.open?.();
}

/** Shows the view that the address names. */
async function open() {
  turn += 1;
  const own = turn;
  const [, name = "", id = "", query = ""] = /^#\/([^/?]*)\/?([^?]*)\??(.*)$/.exec(location.hash) ?? [];
  const view = views[name];
  if (!view) return location.replace("#/runs");
  try {
    const { isOpen, operator = "" } = await request("/session");
    if (!isOpen) return signIn();
    if (who) who.textContent = operator;
    const projects = await request("/projects");
    const made = await view({ name, id: decodeURIComponent(id), query: new URLSearchParams(query), projects });
    if (own !== turn) return made.close?.();
    bar.hidden = false;
    for (const link of bar.querySelectorAll("nav a")) {
      link.setAttribute("aria-current", link.getAttribute("href") === `#/${name}` ? "page" : "false");
    }
    const before = focusedField();
    show(made);
    restoreFocus(before);
  } catch (error) {
    if (own !== turn) return;
    if (error instanceof Refusal && error.status === 401) return signIn();
    show(failure(textOf(error)));
  }
}

/** The name of the focused filter: opening a view draws the filters again. */
function focusedField() {
  const { activeElement } = document;
  return activeElement instanceof HTMLInputElement || activeElement instanceof HTMLSelectElement
    ? activeElement.name
    : "";
}

/** @param {string} name */
function restoreFocus(name) {
  const field = name === "" ? null : main.querySelector(`.filters [name="${CSS.escape(name)}"]`);
  if (field instanceof HTMLElement) field.focus();
  else {
    main.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
}

function signIn() {
  bar.hidden = true;
  show(signInView(() => void open()));
  main.querySelector("input")?.focus();
}

/** @param {string} text */
function failure(text) {
  const retry = element("button", { type: "button", className: "quiet" }, words.retry);
  retry.addEventListener("click", () => void open());
  return { title: words.failure.title, content: [element("p", { className: "problem", role: "alert" }, text), retry] };
}

document.getElementById("leave")?.addEventListener("click", () => {
  request("/session", { method: "DELETE" }).then(signIn, signIn);
});
translate();
window.addEventListener("hashchange", () => void open());
void open();
