import { expect, test } from "vitest";
import { emptyDraft } from "../../store/initial-state.ts";
import { renderChat, withConversation } from "../scripted-chat.tsx";
import { NextQuestions, usableSuggestions } from "./next-questions.tsx";

const suggestion = (title: string) => ({ title, prompt: `${title}?` });

test("at most four suggestions are usable, each title once, and those that make no sense are left out", () => {
  const given = [null, 5, { title: "Без вопроса" }, { title: " ", prompt: "?" }, ..."абвгд".split("").map(suggestion)];
  expect(usableSuggestions([...given, suggestion("а")]).map(({ title }) => title)).toEqual(["а", "б", "в", "г"]);
  expect(usableSuggestions({ length: 1 })).toEqual([]);
  expect(usableSuggestions("абв")).toEqual([]);
});

test("a press sends the prompt, and what the visitor has written stays", () => {
  const chat = renderChat(<NextQuestions threadId="t1" suggestions={[suggestion("Завтра")]} />, {
    ...withConversation({}),
    drafts: { t1: { ...emptyDraft, text: "Черновик" } },
  });
  chat.root.querySelector("button")?.click();
  expect(chat.asked).toEqual([
    ["sendText", "t1", "Завтра?"],
    ["setDraft", "t1", "Черновик"],
  ]);
  chat.unmount();
});
