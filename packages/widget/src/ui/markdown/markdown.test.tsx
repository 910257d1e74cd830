import { act, useSyncExternalStore } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createStore } from "../../store/create-store.ts";
import { renderChat } from "../scripted-chat.tsx";
import type { MarkdownProps } from "./document-view.tsx";
import { MarkdownProvider } from "./markdown-provider.tsx";
import { Markdown } from "./markdown.tsx";

class StillObserver {
  observe(): void {}
  disconnect(): void {}
}

beforeEach(() => vi.stubGlobal("ResizeObserver", StillObserver));

let unmounts: (() => void)[] = [];

afterEach(() => {
  for (const unmount of unmounts) unmount();
  unmounts = [];
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

/** Renders an answer whose text the test writes. */
function renderAnswer() {
  const start: MarkdownProps = { text: "", streaming: true, messageId: "m1" };
  const store = createStore(start, (callback) => callback(0));
  function Answer() {
    return (
      <Markdown
        {...useSyncExternalStore(
          (listener) => store.subscribe(listener),
          () => store.get(),
        )}
      />
    );
  }
  const { root, unmount } = renderChat(
    <MarkdownProvider>
      <Answer />
    </MarkdownProvider>,
  );
  unmounts.push(unmount);
  const body = () => root.querySelector(".markdown");
  return {
    body,
    /** The HTML of the blocks that have been written so far. */
    html: () => [...(body()?.querySelectorAll(".block-group") ?? [])].map(({ innerHTML }) => innerHTML).join(""),
    all: () => [...(body()?.querySelectorAll("*") ?? [])],
    append: (text: string, streaming = true) => {
      const from = store.get().text.length;
      act(() =>
        store.set((props) => ({
          ...props,
          text: props.text + text,
          streaming,
          appended: { partIndex: 0, from, text },
        })),
      );
    },
    change: (props: Partial<MarkdownProps>) => act(() => store.set((before) => ({ ...before, ...props }))),
    until: async (condition: () => boolean) => {
      while (!condition()) await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
    },
  };
}

describe("an answer that is being written", () => {
  it("is plain text until the parser has loaded", async () => {
    const { append, body, html, until } = renderAnswer();
    append("**a**\nb");
    expect(body()?.textContent).toBe("**a**\nb");
    await until(() => !body()?.querySelector(".markdown-source"));
    expect(html()).toBe("<p><strong>a</strong>\nb</p>");
  });

  it("has its text's direction, and never the language of the interface", async () => {
    const { append, body, html, until } = renderAnswer();
    const attributes = () => ["dir", "lang"].map((name) => body()?.getAttribute(name));
    append("שלום");
    expect(attributes()).toEqual(["auto", ""]);
    await until(() => html() === "<p>שלום</p>");
    expect(attributes()).toEqual(["auto", ""]);
  });

  it("is marked as streaming until its end", async () => {
    const { append, body, html, until } = renderAnswer();
    append("a");
    await until(() => html() === "<p>a</p>");
    expect(body()?.hasAttribute("data-streaming")).toBe(true);
    append(" b", false);
    await until(() => html() === "<p>a b</p>");
    expect(body()?.hasAttribute("data-streaming")).toBe(false);
  });

  it("keeps the elements of finished blocks, and of the list and code that grow", async () => {
    const { append, all, body, until } = renderAnswer();
    append("# A\n\npara\n\n- one\n- two");
    await until(() => body()?.querySelectorAll("li").length === 2);
    const before = all();
    append(" and\n- three\n\n```js\nlet a");
    await until(() => body()?.querySelector("code")?.textContent === "let a");
    expect(all().filter((element) => before.includes(element))).toEqual(before);
    const code = body()?.querySelector("pre");
    append(" = 1;\n```\n\nEnd", false);
    await until(() => body()?.querySelector(".block-group > p:last-child")?.textContent === "End");
    expect(body()?.querySelector("pre")).toBe(code);
  });

  it("shows a list item that turns out to be a task as a task alone", async () => {
    const { append, body, html, until } = renderAnswer();
    append("- [x]\n");
    await until(() => html() === "<ul><li><p>[x]</p></li></ul>");
    append("  a", false);
    await until(() => body()?.querySelector("li.task") !== null);
    expect([...(body()?.querySelectorAll("li > *") ?? [])].map(({ localName }) => localName)).toEqual(["input", "p"]);
  });

  it("shows each paragraph of a quote once when some turn out to have no footnote", async () => {
    const { append, body, until } = renderAnswer();
    append("> a[^1]\n>\n> b[^2]\n>\n> c[^3]\n\n");
    await until(() => body()?.querySelectorAll("sup").length === 3);
    append("[^3]: d", false);
    await until(() => body()?.querySelectorAll("sup").length === 1);
    expect([...(body()?.querySelectorAll("blockquote p") ?? [])].map(({ textContent }) => textContent)).toEqual([
      "a[^1]",
      "b[^2]",
      "c1",
    ]);
  });

  it("keeps its elements when the server renames the message", async () => {
    const { append, body, change, until } = renderAnswer();
    append("a[^1]\n\n[^1]: b\n\nc", false);
    await until(() => body()?.querySelector(".footnotes") !== null);
    const paragraph = body()?.querySelector("p");
    change({ messageId: "renamed" });
    expect(body()?.querySelector("p")).toBe(paragraph);
    expect(body()?.querySelector(".footnotes li")?.id).toContain("renamed");
  });

  it("shows another text that takes its place", async () => {
    const { append, html, change, until } = renderAnswer();
    append("first");
    await until(() => html() === "<p>first</p>");
    change({ text: "second", streaming: false, appended: undefined });
    await until(() => html() !== "<p>first</p>");
    expect(html()).toBe("<p>second</p>");
  });
});
