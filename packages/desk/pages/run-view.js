import { Refusal, request, textOf } from "./api.js";
import { showThread } from "./chat.js";
import { button, download } from "./controls.js";
import { element } from "./element.js";
import { formatCost, formatCount, formatDuration, formatTime, formatTokens } from "./format.js";
import { ratingMark, statusMark } from "./runs-view.js";
import { visitorCommands } from "./visitor-commands.js";
import { words } from "./words.js";

/** @typedef {import("../src/run-figures.ts").RunFigures} Run */

/** The speed factors of a replay. */
const speeds = /** @type {const} */ (["1", "4", "16", "all"]);

/**
 * A run: its figures, its conversation, and its answer as it was written.
 *
 * @param {import("./view.d.ts").Place} place
 * @returns {Promise<import("./view.d.ts").View>}
 */
export async function runView({ id }) {
  /** @type {Run} */
  const run = await request(`/runs/${encodeURIComponent(id)}`);
  const { runId, threadId, answerId, title = words.untitled, isReadable, status, feedback } = run;
  const path = encodeURIComponent(runId);
  const head = element("div", { className: "head" }, element("h1", {}, title), facts(run), visitorCommands(run));
  const reason = feedback?.reason === undefined ? undefined : element("blockquote", {}, feedback.reason);
  if (!isReadable) {
    const note = element("p", { className: "note" }, words.run.gone);
    return { title, content: [head, note] };
  }
  const stage = createStage();
  const conversation = `conversations/${encodeURIComponent(threadId)}/${encodeURIComponent(answerId)}`;
  const read = () => stage.show(conversation, threadId, words.run.whole);
  const controls =
    status.type === "running"
      ? element("p", { className: "quiet-text" }, words.run.running)
      : element(
          "div",
          { className: "controls" },
          ...replayControls((speed) => stage.show(`replays/${path}/${speed}`, threadId, words.run.asWritten)),
          button(words.run.showWhole, read),
          download(`/desk/api/runs/${path}/recording/sse`, words.run.recording),
          download(`/desk/api/runs/${path}/recording/json`, words.run.reading),
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
      problem.textContent = isStream ? textOf(error) : words.recording.noStream;
    }
  };
  input.addEventListener("change", () => void open());
  const name = query.get("name") ?? words.recording.title;
  const play = (/** @type {string} */ speed) =>
    stage.show(`recordings/${encodeURIComponent(id)}/${speed}`, "recording", name);
  const controls = element("div", { className: "controls" }, ...replayControls(play));
  return {
    title: words.recording.title,
    content: [
      element("h1", {}, words.recording.heading),
      element("p", { className: "quiet-text" }, words.recording.note),
      element("label", { className: "file" }, element("span", {}, words.recording.file), input),
      problem,
      ...(id === "" ? [] : [controls, stage.root]),
    ],
    open: () => {
      if (id !== "") play("1");
    },
    close: stage.close,
  };
}

/** The container of the widget, with one thread at a time. */
function createStage() {
  const caption = element("p", { className: "caption", role: "status" });
  const target = element("div");
  const root = element(
    "section",
    { className: "stage", ariaLabel: words.run.conversation },
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
  const options = speeds.map((value) => element("option", { value }, words.run.speeds[value]));
  const select = element("select", {}, ...options);
  return [
    button(words.run.replay, () => play(select.value), "primary"),
    element("label", {}, element("span", {}, words.run.speed), select),
  ];
}

/** @param {Run} run */
function facts(run) {
  const { startedAt, projectId, firstTokenMs, durationMs, tokens, cost, rejoins, modelId, status, feedback } = run;
  /** @type {readonly (readonly [string, Node | string] | undefined)[]} */
  const all = [
    [words.columns.outcome, statusMark(run)],
    status.error === undefined ? undefined : [words.columns.reason, status.error],
    [words.columns.start, formatTime(startedAt)],
    [words.columns.project, projectId],
    modelId === undefined ? undefined : [words.columns.model, modelId],
    [words.columns.firstText, formatDuration(firstTokenMs)],
    [words.columns.whole, formatDuration(durationMs)],
    tokens && [words.columns.tokens, formatTokens(tokens)],
    cost && [words.columns.cost, formatCost(cost)],
    rejoins === undefined ? undefined : [words.columns.rejoins, formatCount(rejoins)],
    feedback && [words.columns.rating, ratingMark(run)],
  ];
  const pairs = all.flatMap((pair) =>
    pair ? [element("div", {}, element("dt", {}, pair[0]), element("dd", {}, pair[1]))] : [],
  );
  return element("dl", { className: "facts" }, ...pairs);
}
