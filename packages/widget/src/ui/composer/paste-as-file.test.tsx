import { act } from "react";
import { expect, test } from "vitest";
import { changeDraft, setText } from "../../store/composer.ts";
import { renderChat, withConversation } from "../scripted-chat.tsx";
import { Composer } from "./composer.tsx";

/** The code of the composer's extras and of the offer loads after the first view. */
async function codeLoaded(): Promise<void> {
  await import("./composer-extras.tsx");
  await import("./paste-as-file.tsx");
  await new Promise((resolve) => setTimeout(resolve));
}

test("each long text that is pasted may become a file, also one in the place of the last", async () => {
  const chat = renderChat(<Composer threadId="t1" />, withConversation({}));
  await act(codeLoaded);
  const field = chat.root.querySelector("textarea");
  const offer = () => chat.root.querySelector(".composer-note button")?.textContent;
  /** As in a browser, the paste event comes before the text. */
  const paste = async (text: string) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    const event = Object.assign(new Event("paste", { bubbles: true }), { clipboardData });
    await act(async () => void field?.dispatchEvent(event));
    chat.set((state) => changeDraft(state, "t1", (draft) => setText(draft, text)));
    await act(codeLoaded);
  };
  await paste("a".repeat(5000));
  expect(offer()).toBe("Вставить файлом");
  chat.set((state) => changeDraft(state, "t1", (draft) => setText(draft, "")));
  expect(offer()).toBeUndefined();
  await paste("b".repeat(5000));
  expect(offer()).toBe("Вставить файлом");
  chat.set((state) => changeDraft(state, "t1", (draft) => setText(draft, `${draft.text}!`)));
  expect(offer()).toBeUndefined();
  chat.unmount();
});
