import type { Part } from "@nitka/protocol";
import { act } from "react";
import { afterEach, describe, expect, it } from "vitest";
import type { CallState } from "../../store/state.ts";
import { MessagePlaceContext } from "../chat-context.tsx";
import { AnnouncerProvider } from "../primitives/announcer.tsx";
import type { ScriptedChat } from "../scripted-chat.tsx";
import { renderChat, withConversation } from "../scripted-chat.tsx";
import { MessageParts } from "./message-parts.tsx";

const call = { type: "tool-call", toolCallId: "c1", toolName: "cancel_order", argsText: "" } as const;

let chat: ScriptedChat;
afterEach(() => chat.unmount());

const run = (calls: Readonly<Record<string, CallState>>) => ({
  run: { questionId: "q1", answerId: "a1", phase: "streaming", calls } as const,
});

function view(parts: readonly Part[], running: boolean) {
  return (
    <AnnouncerProvider>
      <MessagePlaceContext value={{ threadId: "t1", messageId: "a1", running }}>
        <MessageParts messageId="a1" author="assistant" parts={parts} running={running} />
        <textarea data-composer />
      </MessagePlaceContext>
    </AnnouncerProvider>
  );
}

async function show(parts: readonly Part[], calls: Readonly<Record<string, CallState>> = {}, running = true) {
  chat = renderChat(view(parts, running), withConversation(run(calls)));
  await act(async () => {
    await import("./tool-approval.tsx");
  });
  return chat.root;
}

const notSent =
  "Не\u00a0удалось отправить решение. Нет связи с\u00a0сервером. Проверьте подключение и\u00a0попробуйте ещё раз.";

const asking = { type: "asking", title: "Отменить заказ" } as const;
const shownIn = (root: ParentNode, selector: string) =>
  [...root.querySelectorAll(selector)].map(({ textContent }) => textContent);

describe("a tool call that waits for the visitor", () => {
  it("says what it is, what it is given, and has two buttons", async () => {
    const args = { order: 7, reason: "Передумал", notify: true, shop: { city: "Уфа", tags: ["a", "b"] }, note: null };
    const root = await show([{ ...call, args }], { c1: { ...asking, question: "Отменить заказ 7?" } });
    expect(root.querySelector(".approval")?.getAttribute("aria-label")).toBe("Нужно ваше разрешение: Отменить заказ");
    expect(shownIn(root, ".approval > p")).toEqual(["Отменить заказ", "Отменить заказ 7?"]);
    expect(shownIn(root, ".argument-rows dt")).toEqual(["order", "reason", "notify", "shop", "city", "tags", "note"]);
    expect(shownIn(root, ".argument-rows dd:not(:has(dl))")).toEqual(["7", "Передумал", "да", "Уфа", "a, b", "—"]);
    expect(shownIn(root, ".approval-actions button")).toEqual(["Разрешить", "Отклонить"]);
    expect(shownIn(root, ".tool-call button")).toEqual(["Used tool cancel_order ждёт разрешения"]);
  });

  it("calls arguments by the titles of the tool's schema, and by their names where it has none", async () => {
    const order = { type: "object", title: "Заказ", properties: { sum: { title: "Сумма" }, unit: { title: " " } } };
    const parameters = {
      type: "object",
      title: "Аргументы",
      properties: { order, lines: { title: "Строки", items: { properties: { sku: { title: "Товар" } } } }, wrong: 5 },
    };
    const args = { order: { sum: 900, unit: "₽", more: 1 }, lines: [{ sku: "cup" }], wrong: 1, constructor: "x" };
    const root = await show([{ ...call, args }], { c1: { ...asking, parameters } });
    expect(shownIn(root, ".argument-rows dt")).toEqual([
      "Заказ",
      "Сумма",
      "unit",
      "more",
      "Строки",
      "1",
      "Товар",
      "wrong",
      "constructor",
    ]);
  });

  it("shows markup in its title, its question and its arguments as text", async () => {
    const markup = "<img src=x onerror=alert(1)>";
    const parameters = { properties: { titled: { title: markup } } };
    const root = await show([{ ...call, args: { [markup]: markup, titled: 1 } }], {
      c1: { type: "asking", title: markup, question: markup, parameters },
    });
    expect(root.querySelector("img")).toBeNull();
    expect(root.querySelector(".approval")?.textContent?.split(markup)).toHaveLength(6);
  });

  it("shows arguments that are no JSON as they are", async () => {
    const root = await show([{ ...call, argsText: '{"order": 7, "rea' }], { c1: asking });
    expect(shownIn(root, ".plain-text")).toEqual(['{"order": 7, "rea']);
  });

  it("folds long values and many rows; all of them can be seen", async () => {
    const text = "я".repeat(300);
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`n${index}`, index]));
    const root = await show([{ ...call, args: { text, many } }], { c1: asking });
    expect(root.querySelector(".plain-text")?.textContent).toBe(`${"я".repeat(240)}…  Показать полностью`);
    expect(root.querySelectorAll(".argument-rows .argument-rows dt")).toHaveLength(12);
    for (const button of root.querySelectorAll<HTMLElement>(".approval .link-button")) act(() => button.click());
    expect(root.querySelector(".plain-text")?.textContent).toBe(`${text} Свернуть`);
    expect(root.querySelectorAll(".argument-rows .argument-rows dt")).toHaveLength(30);
  });

  it("sends the decision once, and the focus goes to the composer", async () => {
    const root = await show([{ ...call, args: {} }], { c1: asking });
    const [allow, deny] = root.querySelectorAll<HTMLElement>(".approval-actions button");
    act(() => allow?.focus());
    act(() => allow?.click());
    expect(root.activeElement?.localName).toBe("textarea");
    chat.set((state) => ({
      ...state,
      ...withConversation(run({ c1: { type: "deciding", title: "Отменить заказ", approved: true } })),
    }));
    act(() => deny?.click());
    expect(chat.asked).toEqual([["decideTool", "t1", "c1", true]]);
    expect([
      allow?.getAttribute("aria-busy"),
      deny?.getAttribute("aria-busy"),
      deny?.getAttribute("aria-disabled"),
    ]).toEqual(["true", "false", "true"]);
  });

  it("gives the focus to the group of the next call that waits", async () => {
    const root = await show(
      [
        { ...call, args: {} },
        { ...call, toolCallId: "c2", args: {} },
      ],
      { c1: asking, c2: asking },
    );
    const [, deny] = root.querySelectorAll<HTMLElement>(".approval-actions button");
    act(() => deny?.focus());
    act(() => deny?.click());
    expect(root.activeElement).toBe(root.querySelectorAll("fieldset")[1]);
    expect(chat.asked).toEqual([["decideTool", "t1", "c1", false]]);
  });

  it("leaves the focus at the tool when it is decided elsewhere, and takes none when it appears", async () => {
    const root = await show([{ ...call, args: {} }], {});
    const composer = root.querySelector("textarea");
    act(() => composer?.focus());
    chat.set((state) => ({ ...state, ...withConversation(run({ c1: asking })) }));
    expect(root.activeElement).toBe(composer);
    await act(async () => undefined);
    act(() => root.querySelector<HTMLElement>("[data-allow]")?.focus());
    chat.set((state) => ({ ...state, ...withConversation(run({})) }));
    expect(root.querySelector(".approval")).toBeNull();
    expect(root.activeElement?.className).toBe("disclosure-toggle");
  });

  it("is announced once", async () => {
    const root = await show([{ ...call, args: {} }], { c1: { ...asking, question: "Точно?" } });
    const announced = ["Нужно ваше разрешение: Отменить заказ", "Точно?"];
    await expect.poll(() => shownIn(root, "[aria-live] p")).toEqual(announced);
    chat.set((state) => ({ ...state, ...withConversation(run({})) }));
    const failure = { kind: "network", detail: "fetch failed" } as const;
    chat.set((state) => ({ ...state, ...withConversation(run({ c1: { ...asking, failure } })) }));
    await act(async () => undefined);
    // If the call were announced again, that would precede its failure.
    await expect.poll(() => shownIn(root, "[aria-live] p")).toEqual([...announced, notSent]);
  });

  it("says where the decision could not be sent", async () => {
    const failure = { kind: "network", detail: "fetch failed" } as const;
    const root = await show([{ ...call, args: {} }], { c1: { ...asking, failure } });
    expect(shownIn(root, ".approval-failure")).toEqual([notSent]);
  });

  it("asks nothing once the answer has ended or the call has a result", async () => {
    const root = await show([{ ...call, approval: "requested" }], { c1: asking }, false);
    expect(root.querySelector(".approval")).toBeNull();
    chat.unmount();
    const done = await show([{ ...call, result: 1 }], { c1: asking });
    expect(done.querySelector(".approval")).toBeNull();
  });
});

describe("a tool call that the visitor has decided", () => {
  it.each([
    ["denied", { approval: "denied" }, "Used tool cancel_order отклонено"],
    ["allowed", { approval: "approved", result: 1 }, "Used tool cancel_order разрешено"],
    [
      "allowed, and failed",
      { approval: "approved", result: 1, isError: true },
      "Used tool cancel_order разрешено ошибка",
    ],
  ] as const)("says so after the tool's name: %s", async (_, part, title) => {
    const root = await show([{ ...call, ...part }], {}, false);
    expect(root.querySelector("button")?.textContent).toBe(title);
  });

  it("is not called running where it was denied, or runs in another page", async () => {
    const denied = await show([{ ...call, approval: "denied" }]);
    expect(denied.querySelector("button")?.textContent).toBe("Used tool cancel_order отклонено");
    chat.unmount();
    const elsewhere = await show([call], { c1: { type: "elsewhere" } });
    expect(elsewhere.querySelector("button")?.textContent).toBe(
      "Used tool cancel_order выполняется в\u00a0другой вкладке",
    );
  });
});
