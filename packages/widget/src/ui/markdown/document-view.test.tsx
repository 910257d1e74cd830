import { act, useState } from "react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { initialState } from "../../store/initial-state.ts";
import { renderChat } from "../scripted-chat.tsx";
import { DocumentView } from "./document-view.tsx";

class StillObserver {
  observe(): void {}
  disconnect(): void {}
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("ResizeObserver", StillObserver);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

function show(text: string, imageHosts: readonly string[] = []) {
  const { config: _, ...state } = initialState({ config: {}, sidebarOpen: true, compact: false, panelOpen: true });
  return renderChat(<DocumentView text={text} streaming={false} messageId="m1" />, {
    ...state,
    config: { imageHosts },
  });
}

/** The only group of blocks of a short answer. */
function blocksOf(root: ShadowRoot): Element {
  const blocks = root.querySelector(".markdown > .block-group");
  if (!blocks) throw new Error("No block was rendered.");
  return blocks;
}

function bodyOf(root: ShadowRoot): Element {
  const body = root.querySelector(".markdown");
  if (!body) throw new Error("No markdown was rendered.");
  return body;
}

describe("a finished answer", () => {
  it("is complete after the first render, in the elements that its markdown stands for", () => {
    const { root } = show("# A\n\nb **c** *d* ~~e~~ `f`\\\ng\n\n> h\n\n---\n\n3. i\n4. j\n");
    expect(blocksOf(root).innerHTML).toBe(
      "<h3>A</h3>" +
        "<p>b <strong>c</strong> <em>d</em> <del>e</del> <code>f</code><br>g</p>" +
        "<blockquote><p>h</p></blockquote><hr>" +
        '<ol start="3"><li><p>i</p></li><li><p>j</p></li></ol>',
    );
  });

  it("has headings below those of the page and the chat", () => {
    const { root } = show("# a\n## b\n### c\n#### d\n##### e\n###### f\n\ng\n===\n");
    expect([...blocksOf(root).children].map(({ localName }) => localName)).toEqual([
      "h3",
      "h4",
      "h5",
      "h6",
      "h6",
      "h6",
      "h3",
    ]);
  });

  it("has a checkbox for each task, ticked if it is done, which cannot be changed", () => {
    const { root } = show("- [x] a\n- [ ] b\n");
    const boxes = [...root.querySelectorAll<HTMLInputElement>("li.task > input")];
    expect(
      boxes.map((box) => [
        box.type,
        box.checked,
        box.disabled,
        box.getAttribute("aria-label"),
        box.nextElementSibling?.textContent,
      ]),
    ).toEqual([
      ["checkbox", true, true, "Сделано", "a"],
      ["checkbox", false, true, "Не\u00a0сделано", "b"],
    ]);
  });

  it("shows a table with its columns aligned, in a frame that scrolls", () => {
    const { root } = show("| a | b |\n|--:|:-:|\n| 1 | 2 |\n");
    expect(blocksOf(root).innerHTML).toBe(
      '<div class="table-scroll"><table><thead><tr>' +
        '<th scope="col" data-align="right">a</th><th scope="col" data-align="center">b</th></tr></thead>' +
        '<tbody><tr><td data-align="right">1</td><td data-align="center">2</td></tr></tbody></table></div>',
    );
  });

  it("shows HTML as text", () => {
    const html = '<script>alert(1)</script>\n\nA <b onclick="x()">b</b> <img src="https://evil.example/a.png">';
    const { root } = show(html);
    expect(root.querySelectorAll("script, b, img")).toHaveLength(0);
    expect(bodyOf(root).textContent).toBe(html.replace("\n\n", ""));
  });

  it.each([
    ["1<br>2<br/>3<br />4", "1(br)2(br)3(br)4"],
    ["| a |\n|-|\n| 1<br>2 |", "a1(br)2"],
    ["H<sub>2</sub>O, x<sup>*n*</sup>", "H(sub)O, x(sup)"],
    ["<kbd>Ctrl</kbd>+<kbd>C</kbd>, <mark>a</mark> <u>b</u>", "(kbd)+(kbd), (mark) (u)"],
    ["<sub>a<sup>b</sup></sub> c", "(sub) c"],
    ["a <!-- b --> c\n\n<!-- d\ne -->\n\nf", "a  cf"],
    ["a <!-- b", "a <!-- b"],
    ["<sub>a", "<sub>a"],
    ["a</sub> <sup>b</sub> **<sub>c**</sub>", "a</sub> <sup>b</sub> <sub>c</sub>"],
    ["a <br onclick=x> <sub id=y>b</sub>", "a <br onclick=x> <sub id=y>b</sub>"],
    ["a\n\n<br>\n\nb", "a(br)b"],
  ])("shows a few tags without attributes as what they mean, and no comment: %j", (text, shown) => {
    const { root } = show(text);
    for (const tag of bodyOf(root).querySelectorAll("br, sub, sup, kbd, mark, u"))
      tag.replaceWith(`(${tag.localName})`);
    expect(bodyOf(root).textContent).toBe(shown);
  });

  it("keeps what is between a pair of tags as markdown", () => {
    const { root } = show("x<sup>**a** [b](https://c.example) `d`</sup>");
    expect(root.querySelector("sup")?.innerHTML).toMatch(/^<strong>a<\/strong> <a [^>]*>b<\/a> <code>d<\/code>$/);
  });

  it("opens links in a new tab, and shows those of other schemes as text", () => {
    const { root } = show("[a](https://a.example 't') [b](javascript:alert(1)) <mailto:c@d.ru> [e](/f) www.g.ru");
    expect([...root.querySelectorAll("a")].map((link) => link.outerHTML)).toEqual(
      [
        ["https://a.example", ' title="a.example"', "a"],
        ["mailto:c@d.ru", "", "mailto:c@d.ru"],
        ["/f", "", "e"],
        ["http://www.g.ru", "", "www.g.ru"],
      ].map(
        ([href, title, text]) =>
          `<a class="markdown-link" href="${href}"${title} target="_blank" rel="noopener noreferrer" aria-describedby="new-tab">${text}</a>`,
      ),
    );
    expect(bodyOf(root).textContent).toContain("a b mailto:");
  });

  it("shows the text alone of a link to a place of the page", () => {
    const { root } = show(
      "[Раздел](#part) [пусто]() [b](/c 'Банк') [d](https://user@e.example:8/f \"https://bank.example\")",
    );
    expect([...root.querySelectorAll("a")].map((link) => [link.textContent, link.getAttribute("title")])).toEqual([
      ["b", null],
      ["d", "e.example:8"],
    ]);
    expect(bodyOf(root).textContent).toBe("Раздел пусто b d");
  });

  it("loads images only from the configured hosts, and shows the others as links", () => {
    const { root } = show(
      "![a](https://cdn.example/a.png) ![b](https://evil.example/b.png) ![c][ref] ![d](//cdn.example/d.png) " +
        "![e](data:image/png;base64,AA) [![f](https://cdn.example/f.png)](https://f.example)\n\n[ref]: https://evil.example/c",
      ["cdn.example"],
    );
    expect([...root.querySelectorAll("img")].map((image) => image.getAttribute("src"))).toEqual([
      "https://cdn.example/a.png",
    ]);
    expect(root.querySelector("img")?.getAttribute("referrerpolicy")).toBe("no-referrer");
    expect([...root.querySelectorAll("a")].map((link) => [link.getAttribute("href"), link.textContent])).toEqual([
      ["https://evil.example/b.png", "b"],
      ["https://evil.example/c", "c"],
      ["//cdn.example/d.png", "d"],
      ["https://f.example", "f"],
    ]);
    expect(bodyOf(root).textContent).toContain("d e f");
  });

  it("shows an image that does not load as a link", () => {
    const { root } = show("![a](https://cdn.example/a.png)", ["cdn.example"]);
    act(() => void root.querySelector("img")?.dispatchEvent(new Event("error")));
    expect(root.querySelector("img")).toBeNull();
    expect(root.querySelector("a")?.getAttribute("href")).toBe("https://cdn.example/a.png");
  });
});

describe("footnotes", () => {
  it("of two messages have different ids, and link there and back inside the shadow root", () => {
    const text = "A[^1] b[^1].\n\n[^1]: Note.";
    const { root } = renderChat(
      <>
        <DocumentView text={text} streaming={false} messageId="m1" />
        <DocumentView text={text} streaming={false} messageId="m 2" />
      </>,
    );
    const ids = [...root.querySelectorAll("[id]")].map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
    expect(ids.filter((id) => id.includes("m1"))).toHaveLength(2);
    const scrolled: string[] = [];
    for (const element of root.querySelectorAll<HTMLElement>("[id]")) {
      element.scrollIntoView = () => scrolled.push(element.id);
    }
    const marks = root.querySelectorAll<HTMLElement>(".footnote-mark a");
    expect([...marks].map((mark) => mark.textContent)).toEqual(["1", "1", "1", "1"]);
    const click = new MouseEvent("click", { bubbles: true, cancelable: true });
    act(() => void marks[3]?.dispatchEvent(click));
    act(() => root.querySelectorAll<HTMLElement>(".footnote-back")[1]?.click());
    expect(click.defaultPrevented).toBe(true);
    expect(scrolled).toEqual([root.querySelectorAll(".footnotes li")[1]?.id, marks[2]?.id]);
  });

  it("with unusual characters in their labels are links too", () => {
    const { root } = show('A[^a b](c) d[^ж/"].\n\n[^ж/"]: Note.');
    expect(root.querySelector(".footnotes li")?.textContent).toBe("Note. ↩");
  });
});

describe("a block of code", () => {
  const copied: string[] = [];
  const withClipboard = (view: ReactNode) =>
    renderChat(
      view,
      {},
      {
        copyFor: (_, text) => {
          copied.push(text);
          return Promise.resolve();
        },
      },
    );
  const button = (root: ShadowRoot) => root.querySelector<HTMLButtonElement>(".copy-code");
  const press = async (root: ShadowRoot) => {
    await act(async () => {
      button(root)?.click();
      await Promise.resolve();
    });
  };

  beforeEach(() => {
    copied.length = 0;
  });

  it("shows its language in lower case and a button with the tooltip «Copy»", () => {
    const { root } = show("```TypeScript title\nconst a = 1;\n```");
    expect(root.querySelector(".code-language")?.textContent).toBe("typescript");
    expect(button(root)?.dataset["tooltip"]).toBe("Copy");
    expect(root.querySelector("pre code")?.textContent).toBe("const a = 1;");
  });

  it("shows for 3000 ms that its code was copied, and copies it again after that", async () => {
    const { root } = withClipboard(<DocumentView text={"```\na\nb\n```"} streaming={false} messageId="m1" />);
    await press(root);
    await press(root);
    expect(copied).toEqual(["a\nb"]);
    expect(button(root)?.dataset["outcome"]).toBe("ok");
    expect(button(root)?.getAttribute("aria-label")).toBe("Copy");
    act(() => void vi.advanceTimersByTime(2999));
    expect(button(root)?.dataset["outcome"]).toBe("ok");
    act(() => void vi.advanceTimersByTime(1));
    expect(button(root)?.dataset["outcome"]).toBe("none");
    await press(root);
    expect(copied).toEqual(["a\nb", "a\nb"]);
  });

  it("copies nothing when it is empty", async () => {
    const { root } = withClipboard(<DocumentView text={"```js\n```"} streaming={false} messageId="m1" />);
    await press(root);
    expect(copied).toEqual([]);
    expect(button(root)?.dataset["outcome"]).toBe("none");
  });

  it("is coloured once it is closed, without being read as HTML", async () => {
    vi.useRealTimers();
    const { root } = show("```js\nconst a = '<b>';\n```");
    expect(root.querySelector(".token-keyword")).toBeNull();
    while (!root.querySelector(".token-keyword")) await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
    expect(root.querySelector(".token-keyword")?.textContent).toBe("const");
    expect(root.querySelector(".token-string")?.textContent).toBe("'<b>'");
    expect(root.querySelector("pre code")?.textContent).toBe("const a = '<b>';");
  });
});

it("is marked as resting while a text that is being written does not grow", () => {
  function Growing() {
    const [text, setText] = useState("Первые");
    return (
      <>
        <button type="button" onClick={() => setText("Первые слова")}>
          more
        </button>
        <DocumentView text={text} streaming messageId="m1" />
      </>
    );
  }
  const { root } = renderChat(<Growing />);
  const rests = (ms: number) => {
    act(() => void vi.advanceTimersByTime(ms));
    return bodyOf(root).hasAttribute("data-resting");
  };
  expect([rests(300), rests(100)]).toEqual([false, true]);
  act(() => root.querySelector("button")?.click());
  expect([rests(300), rests(100)]).toEqual([false, true]);
});
