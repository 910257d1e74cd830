import { listOrProblem, request } from "./api.js";
import { copyButton } from "./controls.js";
import { element } from "./element.js";
import { formatCount, formatTime } from "./format.js";
import { table } from "./table.js";
import { words } from "./words.js";

/** @typedef {import("../src/routes/knowledge.ts").KnowledgeFigures} Site */
/** @typedef {import("@nitka/server").Unanswered} Unanswered */
/** @typedef {{ readonly questions: readonly [Unanswered, ...Unanswered[]] }} Group */

/**
 * The state of the sites' pages, and the questions that they did not answer.
 *
 * @param {import("./view.d.ts").Place} place
 * @returns {Promise<import("./view.d.ts").View>}
 */
export async function knowledgeView(place) {
  const read = async () => {
    /** @type {{ readonly sites: readonly Site[], readonly unanswered: readonly Unanswered[] }} */
    const { sites, unanswered } = await request("/knowledge");
    return element(
      "div",
      { className: "knowledge" },
      ...(sites.length === 0
        ? [element("p", { className: "note" }, words.knowledge.none)]
        : sites.flatMap((site) => siteContent(site, place))),
      ...unansweredContent(unanswered),
    );
  };
  return { title: words.sections.knowledge, content: [await listOrProblem(read())] };
}

/**
 * @param {Site} site
 * @param {import("./view.d.ts").Place} place
 */
function siteContent({ projectId, sources, lastReading }, { projects }) {
  const title = projects.find(({ id }) => id === projectId)?.title ?? projectId;
  const caption = `${title}: ${lastReading ? words.knowledge.read(formatTime(lastReading.endedAt)) : words.knowledge.unread}`;
  /** @type {import("./table.js").Column<Site["sources"][number]>[]} */
  const columns = [
    { name: words.knowledge.source, kind: "main", cell: ({ source }) => source },
    { name: words.knowledge.pages, kind: "number", cell: ({ pages }) => formatCount(pages) },
    { name: words.knowledge.passages, kind: "number", cell: ({ passages }) => formatCount(passages) },
  ];
  const problems = [
    ...(lastReading?.unread ?? []).map(({ source, reason }) => `${source}: ${reason}`),
    ...(lastReading?.failed ?? []).map(({ url, reason }) => `${url}: ${reason}`),
  ];
  return [
    element("div", { className: "table" }, table(caption, columns, sources)),
    problems.length === 0
      ? undefined
      : element(
          "details",
          { className: "failures" },
          element("summary", {}, words.knowledge.problems(formatCount(problems.length))),
          element("ul", {}, ...problems.map((problem) => element("li", {}, problem))),
        ),
  ];
}

/** @param {readonly Unanswered[]} unanswered */
function unansweredContent(unanswered) {
  if (unanswered.length === 0) {
    return [element("p", { className: "note" }, words.knowledge.answered)];
  }
  /** @type {import("./table.js").Column<Group>[]} */
  const columns = [
    {
      name: words.knowledge.question,
      kind: "main",
      cell: ({ questions: [first] }) => first.question,
    },
    { name: words.knowledge.times, kind: "number", cell: ({ questions }) => formatCount(questions.length) },
    {
      name: words.columns.reason,
      cell: ({ questions: [{ reason, comment }] }) =>
        [words.knowledge.reasons[reason], comment].filter(Boolean).join(": "),
    },
    { name: words.knowledge.when, kind: "short", cell: ({ questions: [{ at }] }) => formatTime(at) },
    {
      name: words.knowledge.check,
      kind: "short",
      cell: ({ questions: [first] }) => copyButton(words.knowledge.copy, () => evalLine(first)),
    },
  ];
  const groups = grouped(unanswered);
  return [element("div", { className: "table" }, table(words.knowledge.unanswered, columns, groups))];
}

/**
 * The question as a line of a file for `nitka eval`, with the pages that the model was offered.
 *
 * @param {Unanswered} unanswered
 */
function evalLine({ question, passages }) {
  const urls = [...new Set(passages.map(({ url }) => url.replace(/#.*$/, "")))];
  return JSON.stringify(urls.length === 0 ? { question, refuse: true } : { question, urls });
}

/**
 * Groups questions that contain the same words, whatever the order and endings of the words.
 *
 * @param {readonly Unanswered[]} unanswered newest first
 * @returns {readonly Group[]} the most frequent first
 */
function grouped(unanswered) {
  /** @type {Map<string, [Unanswered, ...Unanswered[]]>} */
  const groups = new Map();
  for (const each of unanswered) {
    const words = each.question.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [each.question];
    const key = [each.projectId, ...new Set(words.map((word) => word.slice(0, 5)))].toSorted().join(" ");
    const group = groups.get(key);
    if (group) group.push(each);
    else groups.set(key, [each]);
  }
  return [...groups.values()].toSorted((one, other) => other.length - one.length).map((questions) => ({ questions }));
}
