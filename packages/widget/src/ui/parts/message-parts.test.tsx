import type { Part } from "@nitka/protocol";
import { act } from "react";
import { expect, test } from "vitest";
import type { Chat } from "../chat-context.tsx";
import { renderChat } from "../scripted-chat.tsx";
import { MessageParts } from "./message-parts.tsx";

function render(...parts: readonly Part[]) {
  return renderChat(view(parts));
}

function view(parts: readonly Part[]) {
  return <MessageParts messageId="a1" author="assistant" parts={parts} running={false} />;
}

/** The code that shows files is a separate chunk. */
async function renderFiles(parts: readonly Part[], given: Partial<Chat> = {}) {
  const chat = renderChat(view(parts), {}, given);
  await act(async () => {
    await import("./file-views.tsx");
  });
  return chat;
}

/** The code that shows tool calls is a separate chunk. */
async function renderCall(call: Part) {
  const chat = render(call);
  await act(async () => {
    await import("./tool-call-view.tsx");
  });
  return chat;
}

function unfold(root: ParentNode): void {
  for (const toggle of root.querySelectorAll<HTMLElement>(".disclosure-toggle")) act(() => toggle.click());
}

const call = { type: "tool-call", toolCallId: "c", toolName: "get_weather", argsText: '{"city":"Москва"}' } as const;

test("a tool call's state is a word after the tool's name", async () => {
  const chat = await renderCall({ ...call, result: "нет", isError: true });
  expect(chat.root.querySelector("button")?.textContent).toBe("Used tool get_weather ошибка");
  chat.unmount();
});

test("a tool call starts folded, and unfolds to its arguments", async () => {
  const chat = await renderCall(call);
  expect(chat.root.textContent).toBe("Used tool get_weather");
  unfold(chat.root);
  expect([...chat.root.querySelectorAll("pre")].map((text) => text.textContent)).toEqual(['{"city":"Москва"}']);
  expect(chat.root.textContent).not.toContain("Result:");
  chat.unmount();
});

test("a result that is a string is shown as it is, any other as indented JSON", async () => {
  for (const [result, shown] of [
    ["Ясно", "Ясно"],
    ["", ""],
    [{ t: 17 }, '{\n  "t": 17\n}'],
    [null, "null"],
    [0, "0"],
  ] as const) {
    const chat = await renderCall({ ...call, result });
    unfold(chat.root);
    expect(chat.root.querySelector(".tool-heading")?.textContent).toBe("Result:");
    expect(chat.root.querySelectorAll("pre")[1]?.textContent).toBe(shown);
    chat.unmount();
  }
});

test("a text that a source has come after is still being written", () => {
  const source = {
    type: "source",
    sourceType: "url",
    id: "1",
    url: "https://example.com/a",
    title: "А",
    n: 1,
  } as const;
  const text = { type: "text", text: "Два дня [1]" } as const;
  const chat = renderChat(<MessageParts messageId="a1" author="assistant" parts={[text, source]} running />);
  expect(chat.root.querySelector(".markdown")?.matches("[data-streaming]")).toBe(true);
  chat.unmount();
});

test("sources of one page are one line with their numbers", async () => {
  const source = { type: "source", sourceType: "url", title: "Доставка" } as const;
  const chat = render(
    { type: "text", text: "Два дня [1], в Уфу три [3], вернуть можно [2]." },
    { ...source, id: "1", url: "https://example.com/a#moscow", n: 1 },
    { ...source, id: "3", url: "https://example.com/a#:~:text=Уфа", n: 3 },
    { ...source, id: "2", url: "https://example.com/b", title: "Возврат", n: 2 },
  );
  await act(async () => {
    await import("./source-list.tsx");
  });
  unfold(chat.root);
  const lines = [...chat.root.querySelectorAll<HTMLElement>(".source-list > li")];
  expect(lines.map((line) => `${line.dataset["n"]} ${line.querySelector("a")?.href}`)).toEqual([
    "1, 3 https://example.com/a#moscow",
    "2 https://example.com/b",
  ]);
  chat.unmount();
});

test("sources are one list at the end, each source once, and only web addresses are links", async () => {
  const source = { type: "source", sourceType: "url" } as const;
  const chat = render(
    { ...source, id: "1", url: "https://example.com/a", title: "Прогноз" },
    { type: "text", text: "Ясно" },
    { ...source, id: "2", url: "https://example.com/a", title: "Прогноз" },
    { ...source, id: "3", url: "javascript:alert(1)", title: "Уловка" },
    { ...source, id: "4", url: "", title: "Отчёт.docx" },
  );
  await act(async () => {
    await import("./source-list.tsx");
  });
  unfold(chat.root);
  expect(chat.root.querySelector(".sources .disclosure-toggle")?.textContent).toBe("3 источника");
  expect([...chat.root.querySelectorAll(".source")].map((item) => [item.localName, item.getAttribute("href")])).toEqual(
    [
      ["a", "https://example.com/a"],
      ["span", null],
      ["span", null],
    ],
  );
  expect(chat.root.textContent.startsWith("Ясно")).toBe(true);
  chat.unmount();
});

test("a file, a link and a picture with an address of a forbidden scheme are no links and load nothing", async () => {
  const chat = await renderFiles([
    { type: "file", mimeType: "text/csv", url: "javascript:alert(1)" },
    { type: "image", image: "javascript:alert(1)" },
  ]);
  expect(chat.root.querySelectorAll("a, button").length).toBe(0);
  expect([...chat.root.querySelectorAll("span.file-part, span.image-link")].map((text) => text.textContent)).toEqual([
    "Файлtext/csv",
    "Картинка из\u00a0ответа",
  ]);
  expect(chat.root.querySelector("img")).toBeNull();
  chat.unmount();
});

test("a picture loads from the message itself and the api's origin; from elsewhere it is a link", async () => {
  const chat = await renderFiles([
    { type: "image", image: "data:image/png;base64,AA" },
    { type: "image", image: "https://evil.example/a.png" },
    { type: "image", image: "//evil.example/b.png" },
  ]);
  expect(
    [...chat.root.querySelectorAll("img")].map((image) => [image.getAttribute("src"), image.referrerPolicy]),
  ).toEqual([["data:image/png;base64,AA", "no-referrer"]]);
  expect([...chat.root.querySelectorAll("a")].map((link) => link.getAttribute("href"))).toEqual([
    "https://evil.example/a.png",
    "https://evil.example/b.png",
  ]);
  chat.unmount();
});

test("the language of answers and questions is marked as unknown", () => {
  const answer = render({ type: "text", text: "Hello, world." });
  expect([...answer.root.querySelectorAll(".markdown")].map((text) => text.getAttribute("lang"))).toEqual([""]);
  answer.unmount();
  const question = renderChat(
    <MessageParts messageId="q1" author="user" parts={[{ type: "text", text: "Hello?" }]} running={false} />,
  );
  expect(question.root.querySelector(".plain-text")?.getAttribute("lang")).toBe("");
  question.unmount();
});

test("a box takes the place of a part that cannot be shown, and the other parts stay", () => {
  const chat = render({ type: "text", text: "До" }, { type: "hologram" } as unknown as Part, {
    type: "text",
    text: "После",
  });
  expect([...chat.root.querySelectorAll(".markdown, .broken-message p")].map((part) => part.textContent)).toEqual([
    "До",
    "Не\u00a0удалось показать эту часть переписки. Остальное на\u00a0месте.",
    "После",
  ]);
  chat.unmount();
});

test("files and recordings are shown from their data or their address", async () => {
  const chat = await renderFiles([
    { type: "file", mimeType: "application/pdf", filename: "Отчёт.pdf", data: "AAAA" },
    { type: "file", mimeType: "text/csv", url: "/a.csv" },
    { type: "audio", audio: { data: "BBBB", format: "mp3" } },
  ]);
  expect([...chat.root.querySelectorAll(".file-part")].map((file) => file.getAttribute("href"))).toEqual([
    "data:application/pdf;base64,AAAA",
    "https://backend.example/a.csv",
  ]);
  expect(chat.root.querySelector("audio")?.getAttribute("src")).toBe("data:audio/mp3;base64,BBBB");
  chat.unmount();
});

const stored: readonly Part[] = [
  { type: "image", image: "api/debug/attachments/f1" },
  { type: "audio", audio: { url: "api/debug/attachments/f2", format: "wav" } },
  { type: "file", mimeType: "text/csv", url: "api/debug/attachments/f3", filename: "a.csv" },
];

test("a relative address is resolved against the api base", async () => {
  const chat = await renderFiles(stored);
  expect(
    [...chat.root.querySelectorAll("img, audio, .file-part")].map(
      (view) => view.getAttribute("src") ?? view.getAttribute("href"),
    ),
  ).toEqual([
    "https://backend.example/api/debug/attachments/f1",
    "https://backend.example/api/debug/attachments/f2",
    "https://backend.example/api/debug/attachments/f3",
  ]);
  chat.unmount();
});

test("a file that needs the visitor's token is loaded with it: a picture to be shown, a file when it is saved", async () => {
  const loaded: string[] = [];
  const loadFile = (url: string) => {
    loaded.push(url);
    return url.endsWith("f3") ? Promise.reject(new Error("gone")) : Promise.resolve(`blob:${url.slice(-2)}`);
  };
  const chat = await renderFiles(stored, { loadFile });
  await act(async () => undefined);
  expect([...chat.root.querySelectorAll("img, audio")].map((shown) => shown.getAttribute("src"))).toEqual([
    "blob:f1",
    "blob:f2",
  ]);
  expect(loaded.length).toBe(2);
  const link = chat.root.querySelector<HTMLElement>(".file-part");
  const click = new MouseEvent("click", { bubbles: true, cancelable: true });
  await act(async () => link?.dispatchEvent(click));
  expect([click.defaultPrevented, loaded[2]]).toEqual([true, "https://backend.example/api/debug/attachments/f3"]);
  chat.unmount();
});
