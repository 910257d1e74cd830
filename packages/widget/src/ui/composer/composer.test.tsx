import { act } from "react";
import { expect, test } from "vitest";
import { emptyDraft } from "../../store/initial-state.ts";
import type { ChatState, DraftContent } from "../../store/state.ts";
import type { Chat } from "../chat-context.tsx";
import { renderChat, withConversation } from "../scripted-chat.tsx";
import { Composer } from "./composer.tsx";

const running = { questionId: "u1", answerId: "a1", phase: "streaming" } as const;

function render(
  draft: Partial<DraftContent> & { readonly status?: "open" | "waiting" },
  state: Partial<ChatState> = withConversation({}),
  given?: Partial<Chat>,
) {
  const drafts = { t1: { ...emptyDraft, ...draft } };
  return renderChat(<Composer threadId="t1" />, { ...state, drafts }, given);
}

function fieldOf(root: ParentNode): HTMLTextAreaElement {
  const field = root.querySelector("textarea");
  if (!field) throw new Error("The composer has no field.");
  return field;
}

function key(root: ParentNode, name: string, more: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, composed: true, ...more });
  act(() => void fieldOf(root).dispatchEvent(event));
  return event;
}

function button(root: ParentNode, name: string): HTMLButtonElement | null {
  return root.querySelector(`button[aria-label^="${name}"]`);
}

const file = { id: "f", file: new File(["x"], "a.txt"), type: "file", status: "local" } as const;

test.for([
  ["nothing", { text: "" }, true],
  ["white space", { text: " \n " }, true],
  ["a file alone", { text: "", attachments: [file] }, true],
  ["text", { text: "Привет" }, false],
  ["text that already waits to be sent", { text: "Привет", status: "waiting" }, true],
] as const)("with %s written, the send button is disabled or not", ([, draft, disabled]) => {
  const chat = render(draft);
  expect(button(chat.root, "Отправить")?.disabled).toBe(disabled);
  chat.unmount();
});

test("Enter sends a draft that can be sent, and never breaks the line", () => {
  const chat = render({ text: "Привет" });
  expect(key(chat.root, "Enter").defaultPrevented).toBe(true);
  expect(key(chat.root, "Enter", { shiftKey: true }).defaultPrevented).toBe(false);
  expect(chat.asked).toEqual([["send", "t1"]]);
  chat.unmount();

  const empty = render({ text: "" });
  expect(key(empty.root, "Enter").defaultPrevented).toBe(true);
  expect(empty.asked).toEqual([]);
  empty.unmount();
});

test("on iPhones Enter breaks the line", () => {
  const chat = render({ text: "Привет" }, undefined, { enterBreaksLine: true });
  expect(key(chat.root, "Enter").defaultPrevented).toBe(false);
  expect(chat.asked).toEqual([]);
  chat.unmount();
});

test("while a run goes on, stop takes the place of send, Escape stops, and Enter sends nothing", () => {
  const chat = render({ text: "Ещё" }, withConversation({ run: running }));
  expect(button(chat.root, "Отправить")).toBeNull();
  key(chat.root, "Enter");
  expect(chat.asked).toEqual([]);
  key(chat.root, "Escape");
  act(() => button(chat.root, "Остановить генерацию")?.click());
  expect(chat.asked).toEqual([
    ["stop", "t1"],
    ["stop", "t1"],
  ]);
  chat.unmount();
});

test("Escape in an idle composer is not handled", () => {
  const chat = render({ text: "Привет" });
  expect(key(chat.root, "Escape").defaultPrevented).toBe(false);
  expect(chat.asked).toEqual([]);
  chat.unmount();
});

test("a project without attachments has no attach button", () => {
  const chat = render({}, { ...withConversation({}), config: { attachments: false } });
  expect(button(chat.root, "Добавить вложение")).toBeNull();
  chat.unmount();
});

test("a single image is a large tile, and a drafted file can be removed", async () => {
  const image = { id: "f", file: new File(["x"], "a.png"), type: "image", status: "local" } as const;
  const chat = render({ attachments: [{ ...image, preview: "data:image/png;base64," }] });
  await act(tilesLoaded);
  expect(chat.root.querySelector(".attachments")?.hasAttribute("data-single")).toBe(true);
  act(() => button(chat.root, "Удалить вложение")?.click());
  expect(chat.asked).toEqual([["removeAttachment", "t1", "f"]]);
  chat.unmount();

  const two = render({ attachments: [image, { ...image, id: "g" }] });
  await act(tilesLoaded);
  expect(two.root.querySelector(".attachments")?.hasAttribute("data-single")).toBe(false);
  two.unmount();
});

test("a draft that is written before there is a thread is shown, and is sent without one once the list is there", () => {
  const draftWithoutThread = { text: "Привет", attachments: [], status: "open" } as const;
  const chat = renderChat(<Composer threadId={undefined} />, { draftWithoutThread });
  expect(fieldOf(chat.root).value).toBe("Привет");
  expect(button(chat.root, "Отправить")?.disabled).toBe(true);
  chat.unmount();

  const { threads } = withConversation({});
  const ready = renderChat(<Composer threadId={undefined} />, { ...(threads && { threads }), draftWithoutThread });
  act(() => button(ready.root, "Отправить")?.click());
  expect(ready.asked).toEqual([["send", undefined]]);
  ready.unmount();
});

/** The code of the tiles loads after the first view. */
async function tilesLoaded(): Promise<void> {
  await import("../attachments/draft-attachments.tsx");
  await Promise.resolve();
}
