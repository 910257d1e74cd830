import { Refusal, request, textOf } from "./api.js";
import { showThread } from "./chat.js";
import { element } from "./element.js";
import { formatCost, formatCount, formatDuration, formatTime, formatTokens } from "./format.js";
import { ratingMark, statusMark } from "./runs-view.js";

/** @typedef {import("../src/run-figures.ts").RunFigures} Run */

/** How many times faster than it was written. */
const speeds = /** @type {const} */ ([
  ["1", "как было"],
  ["4", "в 4 раза быстрее"],
  ["16", "в 16 раз быстрее"],
  ["all", "сразу целиком"],
]);

/**
 * A run: its figures, its conversation, and its answer as it was written.
 *
 * @param {import("./view.d.ts").Place} place
 * @returns {Promise<import("./view.d.ts").View>}
 */
export async function runView({ id }) {
  /** @type {Run} */
  const run = await request(`/runs/${encodeURIComponent(id)}`);
  const { runId, threadId, answerId, title = "Без названия", isReadable, status, feedback } = run;
  const path = encodeURIComponent(runId);
  const head = element("div", { className: "head" }, element("h1", {}, title), facts(run));
  const reason = feedback?.reason === undefined ? undefined : element("blockquote", {}, feedback.reason);
  if (!isReadable) {
    const note = element("p", { className: "note" }, "Посетитель удалил этот разговор: прочитать его нельзя.");
    return { title, content: [head, note] };
  }
  const stage = createStage();
  const conversation = `conversations/${encodeURIComponent(threadId)}/${encodeURIComponent(answerId)}`;
  const read = () => stage.show(conversation, threadId, "Разговор целиком");
  const controls =
    status.type === "running"
      ? element("p", { className: "quiet-text" }, "Ответ ещё пишется: проиграть его можно, когда он закончится.")
      : element(
          "div",
          { className: "controls" },
          ...replayControls((speed) => stage.show(`replays/${path}/${speed}`, threadId, "Ответ, как он писался")),
          button("Весь разговор", read),
          download(`/desk/api/runs/${path}/recording/sse`, "Скачать запись"),
          download(`/desk/api/runs/${path}/recording/json`, "Как она читается"),
        );
  return {
    title,
    content: [head, ...(reason ? [reason] : []), controls, stage.root],
    open: read,
    close: stage.close,
  };
}

/**
 * A recording from a file.
 *
 * @param {import("./view.d.ts").Place} place
 * @returns {Promise<import("./view.d.ts").View>}
 */
export async function recordingView({ id, query }) {
  const stage = createStage();
  const input = element("input", { type: "file", accept: ".sse,text/event-stream" });
  const problem = element("p", { className: "problem", role: "alert" });
  const open = async () => {
    const [file] = input.files ?? [];
    if (!file) return;
    problem.textContent = "";
    try {
      const { recordingId } = await request(`/recordings?${new URLSearchParams({ name: file.name })}`, {
        method: "POST",
        headers: { "content-type": "text/event-stream" },
        body: file,
      });
      location.hash = `#/recording/${recordingId}?${new URLSearchParams({ name: file.name })}`;
    } catch (error) {
      input.value = "";
      const isStream = !(error instanceof Refusal && error.status === 422);
      problem.textContent = isStream ? textOf(error) : "В файле нет событий потока: нужна запись ответа.";
    }
  };
  input.addEventListener("change", () => void open());
  const name = query.get("name") ?? "Запись";
  const play = (/** @type {string} */ speed) =>
    stage.show(`recordings/${encodeURIComponent(id)}/${speed}`, "recording", name);
  const controls = element("div", { className: "controls" }, ...replayControls(play));
  return {
    title: "Запись",
    content: [
      element("h1", {}, "Запись ответа"),
      element(
        "p",
        { className: "quiet-text" },
        "Файл .sse, который скачан со страницы ответа или лежит среди записей протокола, проигрывается без модели.",
      ),
      element("label", { className: "file" }, element("span", {}, "Файл"), input),
      problem,
      ...(id === "" ? [] : [controls, stage.root]),
    ],
    open: () => {
      if (id !== "") play("1");
    },
    close: stage.close,
  };
}

/** The place of the widget, with one thread in it at a time. */
function createStage() {
  const caption = element("p", { className: "caption", role: "status" });
  const target = element("div");
  const root = element(
    "section",
    { className: "stage", ariaLabel: "Разговор" },
    caption,
    element("div", { className: "chat" }, target),
  );
  let close = () => {};
  let turn = 0;
  return {
    root,
    close: () => {
      turn += 1;
      close();
    },
    /**
     * @param {string} source
     * @param {string} threadId
     * @param {string} text
     */
    show(source, threadId, text) {
      turn += 1;
      const own = turn;
      close();
      close = () => {};
      target.replaceChildren();
      caption.textContent = text;
      showThread(target, source, threadId).then(
        (closeThis) => {
          if (own === turn) close = closeThis;
          else closeThis();
        },
        (error) => {
          if (own === turn) caption.textContent = textOf(error);
        },
      );
    },
  };
}

/** @param {(speed: string) => void} play */
function replayControls(play) {
  const options = speeds.map(([value, label]) => element("option", { value }, label));
  const select = element("select", {}, ...options);
  return [
    button("Проиграть ответ", () => play(select.value), "primary"),
    element("label", {}, element("span", {}, "Скорость"), select),
  ];
}

/** @param {Run} run */
function facts(run) {
  const { startedAt, projectId, firstTokenMs, durationMs, tokens, cost, rejoins, modelId, status, feedback } = run;
  /** @type {readonly (readonly [string, Node | string] | undefined)[]} */
  const all = [
    ["Итог", statusMark(run)],
    status.error === undefined ? undefined : ["Причина", status.error],
    ["Начало", formatTime(startedAt)],
    ["Проект", projectId],
    modelId === undefined ? undefined : ["Модель", modelId],
    ["Первый текст", formatDuration(firstTokenMs)],
    ["Весь ответ", formatDuration(durationMs)],
    tokens && ["Токены", formatTokens(tokens)],
    cost && ["Стоимость", formatCost(cost)],
    rejoins === undefined ? undefined : ["Возвраты", formatCount(rejoins)],
    feedback && ["Оценка", ratingMark(run)],
  ];
  const pairs = all.flatMap((pair) =>
    pair ? [element("div", {}, element("dt", {}, pair[0]), element("dd", {}, pair[1]))] : [],
  );
  return element("dl", { className: "facts" }, ...pairs);
}

/**
 * @param {string} text
 * @param {() => void} onClick
 * @param {string} [className]
 */
function button(text, onClick, className = "quiet") {
  const made = element("button", { type: "button", className }, text);
  made.addEventListener("click", onClick);
  return made;
}

/**
 * @param {string} href
 * @param {string} text
 */
function download(href, text) {
  return element("a", { href, download: "", className: "button" }, text);
}
