import { act } from "react";
import { expect, test } from "vitest";
import type { Actions } from "../../actions/actions.ts";
import { renderChat } from "../scripted-chat.tsx";
import { ThreadSearch } from "./thread-search.tsx";

test("a search whose code does not load says so, and «Повторить» searches again", async () => {
  const queries: string[] = [];
  const searchThreads: Actions["searchThreads"] = async (query) => {
    queries.push(query);
    if (queries.length === 1) throw new TypeError("Failed to fetch dynamically imported module");
  };
  const chat = renderChat(<ThreadSearch />, {}, { actions: { searchThreads } as Actions });
  const field = chat.root.querySelector("input");
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, "погода");
    field?.dispatchEvent(new Event("input", { bubbles: true }));
  });
  const note = () => chat.root.querySelector(".failure-note");
  expect(note()?.textContent).toContain("выполнить поиск");
  await act(async () => note()?.querySelector("button")?.click());
  expect(queries).toEqual(["погода", "погода"]);
  expect(note()).toBeNull();
  chat.unmount();
});
