import { act, useEffect } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { renderChat } from "../scripted-chat.tsx";
import { AnnouncerProvider, LiveRegion, useAnnounce } from "./announcer.tsx";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Announce = ReturnType<typeof useAnnounce>;

/** A view with an announcer and with dialogs that open and close, and every text that its live regions have contained. */
function startAnnouncer() {
  let announce: Announce = () => undefined;
  function Speaker() {
    const own = useAnnounce();
    useEffect(() => {
      announce = own;
    }, [own]);
    return null;
  }
  const view = (dialogs: number) => (
    <AnnouncerProvider>
      <Speaker />
      {Array.from({ length: dialogs }, (_, index) => (
        <LiveRegion key={index} />
      ))}
    </AnnouncerProvider>
  );
  const chat = renderChat(view(0));
  const heard: string[] = [];
  const watch = new MutationObserver((records) => {
    for (const { addedNodes } of records)
      for (const node of addedNodes) if (node instanceof HTMLParagraphElement) heard.push(node.textContent);
  });
  watch.observe(chat.root, { childList: true, subtree: true });
  return { chat, heard, view, announce: (text: string) => announce(text) };
}

test("texts that come while others wait, and while dialogs open and close, are heard once each and in order", async () => {
  const { chat, heard, announce, view } = startAnnouncer();
  announce("один");
  for (const [index, text] of ["два", "три", "четыре", "пять", "шесть"].entries()) {
    await act(() => vi.advanceTimersByTimeAsync(60));
    announce(text);
    chat.show(view(index % 3));
  }
  await act(() => vi.advanceTimersByTimeAsync(5000));
  expect(heard).toEqual(["один", "два", "три", "четыре", "пять", "шесть"]);
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect([heard.length, chat.root.querySelectorAll("p").length, vi.getTimerCount()]).toEqual([6, 0, 0]);
  chat.unmount();
});
