import { act } from "react";
import { expect, test } from "vitest";
import type { Actions } from "../../actions/actions.ts";
import { renderChat, withConversation } from "../scripted-chat.tsx";
import { FeedbackControls } from "./feedback-controls.tsx";

const message = { id: "a", role: "assistant", content: "Да", parentId: null } as const;

test("a rating whose code does not load says so, and the next press tries again", async () => {
  let failures = 1;
  const rate: Actions["rate"] = async () => {
    if ((failures -= 1) >= 0) throw new TypeError("Failed to fetch dynamically imported module");
    return undefined;
  };
  const chat = renderChat(<FeedbackControls threadId="t1" message={message} />, withConversation({}), {
    actions: { rate } as Actions,
  });
  const press = () => act(async () => chat.root.querySelector<HTMLElement>(".rating")?.click());
  const failure = () => chat.root.querySelector(".feedback-failure")?.textContent;
  await press();
  expect(failure()).toContain("Нет связи");
  await press();
  expect(failure()).toBeUndefined();
  chat.unmount();
});
