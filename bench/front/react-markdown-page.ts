/** The comparison: react-markdown with remark-gfm. It renders the whole text again in each frame with new text. */
import { createElement, useSyncExternalStore } from "react";
import { createRoot } from "react-dom/client";
import Markdown from "react-markdown";
import remarkGfm from "remark-gfm";

declare global {
  interface Window {
    /** Streams an answer. Resolves when its end is on the page. */
    ask: (order: string) => Promise<void>;
  }
}

let text = "";
let shown = "";
let scheduled = false;
const listeners = new Set<() => void>();
const plugins = [remarkGfm];

const scroller = document.createElement("div");
scroller.style.cssText = "height: 760px; overflow: auto; font: 16px/26px sans-serif";
const content = document.createElement("div");
content.style.cssText = "max-width: 704px; margin: auto";
scroller.append(content);
document.querySelector("#root")?.append(scroller);
new ResizeObserver(() => (scroller.scrollTop = scroller.scrollHeight)).observe(content);
createRoot(content).render(createElement(Answer));

function Answer() {
  const now = useSyncExternalStore(subscribe, () => shown);
  return createElement(Markdown, { remarkPlugins: plugins }, now);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function show(): void {
  scheduled = false;
  shown = text;
  for (const listener of listeners) listener();
}

window.ask = async (order) => {
  text = "";
  const response = await fetch("/api/debug/threads/empty/run/stream", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ messages: [{ id: "q", role: "user", content: order }] }),
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    const frames = (rest + read.value).split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames) {
      if (frame === "data: [DONE]") continue;
      const event = JSON.parse(frame.slice(6)) as { readonly type: string; readonly delta?: string };
      text += event.delta ?? "";
    }
    if (scheduled) continue;
    scheduled = true;
    requestAnimationFrame(show);
  }
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
};
