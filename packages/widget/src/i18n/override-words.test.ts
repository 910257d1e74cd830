import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { approvalWords } from "./approval-words.ts";
import { citationWords } from "./citation-words.ts";
import { feedbackWords } from "./feedback-words.ts";
import { modelWords } from "./model-words.ts";
import { panelWords } from "./panel-words.ts";
import { pasteWords } from "./paste-words.ts";
import { restoreWords } from "./restore-words.ts";
import { searchWords } from "./search-words.ts";
import { tableWords } from "./table-words.ts";
import { threadMenuWords } from "./thread-menu-words.ts";
import { voiceWords } from "./voice-words.ts";
import { cutOffWords } from "./cut-off-words.ts";
import { failureCodeWords } from "./failure-code-words.ts";
import { en } from "./locales/en.ts";
import { ru } from "./locales/ru.ts";
import type { Words } from "./locales/ru.ts";
import { overrideWords } from "./override-words.ts";
import type { NitkaWords } from "./nitka-words.ts";

function override(hostTexts: object, words: Words = en) {
  const reported: string[] = [];
  const changed = overrideWords(words, hostTexts, ({ message }) => reported.push(message));
  return { changed, reported };
}

describe("the host's own texts", () => {
  it("replace the locale's strings and functions; all others stay", () => {
    const removed = (title: string) => `${title} is gone`;
    const own: NitkaWords = { "composer.send": "Ask", "sidebar.removed": removed };
    const { changed, reported } = override(own);
    expect({ ...changed, sidebar: { ...changed.sidebar, removed: undefined } }).toEqual({
      ...en,
      composer: { ...en.composer, send: "Ask" },
      sidebar: { ...en.sidebar, removed: undefined },
    });
    expect([changed.sidebar.removed("Cats"), reported]).toEqual(["Cats is gone", []]);
  });

  it("can replace every text of the interface, those of failed answers too", () => {
    const own = Object.fromEntries(keys.map((key) => [nameOf(key), key.includes("(") ? () => "own" : "own"]));
    const { changed, reported } = override(own, ru);
    const texts = Object.values(changed).flatMap((group) =>
      Object.values(group).map((text: string | (() => string)) => (typeof text === "string" ? text : text())),
    );
    expect({ reported, texts: new Set(texts), count: texts.length }).toEqual({
      reported: [],
      texts: new Set(["own"]),
      count: keys.length,
    });
  });

  it("change nothing where a template has left them empty", () => {
    expect(override({ "composer.send": undefined, "launcher.open": null })).toEqual({ changed: en, reported: [] });
  });

  it.each([
    [{ "composer.snd": "Ask" }, 'Nitka: words has a key that the interface does not know: "composer.snd".'],
    [{ composer: { send: "Ask" } }, 'Nitka: words has a key that the interface does not know: "composer".'],
    [{ "composer.send.now": "Ask" }, 'Nitka: words has a key that the interface does not know: "composer.send.now".'],
    [{ "toString.name": "Ask" }, 'Nitka: words has a key that the interface does not know: "toString.name".'],
    [{ "composer.toString": "Ask" }, 'Nitka: words has a key that the interface does not know: "composer.toString".'],
    [{ "composer.send": 1 }, 'Nitka: words["composer.send"] must be a string, not of the type number.'],
    [{ "failureCodes.silent": {} }, 'Nitka: words["failureCodes.silent"] must be a string, not of the type object.'],
    [{ "sidebar.removed": "gone" }, 'Nitka: words["sidebar.removed"] must be a function, not of the type string.'],
  ])("are reported if they cannot be used (%o), and the others are used", (own, text) => {
    expect(override({ ...own, "composer.stop": "Halt" })).toEqual({
      changed: { ...en, composer: { ...en.composer, stop: "Halt" } },
      reported: [text],
    });
  });

  it.each([
    [() => 7, 'Nitka: words["sidebar.removed"] must give a string, not of the type number.'],
    [
      () => {
        throw new Error("no title");
      },
      "no title",
    ],
  ])("are replaced by the locale's if they fail when they are called, and reported once", async (removed, text) => {
    const { changed, reported } = override({ "sidebar.removed": removed });
    const texts = [changed.sidebar.removed("Cats"), changed.sidebar.removed("Dogs")];
    const reportedDuringCalls = [...reported];
    await Promise.resolve();
    expect({ texts, reportedDuringCalls, reported }).toEqual({
      texts: [en.sidebar.removed("Cats"), en.sidebar.removed("Dogs")],
      reportedDuringCalls: [],
      reported: [text],
    });
  });

  it("are listed in docs/embedding.md, each key with the parameters of its function", () => {
    const docs = readFileSync(join(import.meta.dirname, "../../../../docs/embedding.md"), "utf8");
    const [, section = ""] = docs.split("\n## Words\n");
    const listed = section
      .split("\n## ")[0]
      ?.split("\n")
      .flatMap((line) => {
        const [, group, texts] = /^- `(\w+)\.`: (.*)$/.exec(line) ?? [];
        return [...(texts ?? "").matchAll(/`([^`]+)`/g)].map(([, text]) => `${group}.${text}`);
      });
    expect(listed).toEqual(keys);
  });
});

/** `sidebar.removed(title)` for a function. */
const keys = Object.entries({
  ...ru,
  failureCodes: failureCodeWords.ru,
  approval: approvalWords.ru,
  feedback: feedbackWords.ru,
  cutOff: cutOffWords.ru,
  restore: restoreWords.ru,
  threadMenu: threadMenuWords.ru,
  panel: panelWords.ru,
  table: tableWords.ru,
  paste: pasteWords.ru,
  search: searchWords.ru,
  voice: voiceWords.ru,
  model: modelWords.ru,
  citation: citationWords.ru,
}).flatMap(([group, texts]) =>
  Object.entries(texts as Readonly<Record<string, unknown>>).map(([name, text]) => {
    const parameters = typeof text === "function" ? (/^\([^)]*\)/.exec(text.toString())?.[0] ?? "()") : "";
    return `${group}.${name}${parameters}`;
  }),
);

function nameOf(key: string): string {
  return key.replace(/\(.*/, "");
}
