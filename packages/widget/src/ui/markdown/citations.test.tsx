import { act, useRef } from "react";
import { expect, test, vi } from "vitest";
import { renderChat } from "../scripted-chat.tsx";
import { CitationCard } from "./citations.tsx";

const sources = [1, 2].map((n) => ({
  type: "source" as const,
  sourceType: "url" as const,
  id: `s${n}`,
  url: `https://a.example/${n}`,
  n,
}));

function Text() {
  const place = useRef<HTMLDivElement>(null);
  return (
    <>
      <div ref={place}>
        {sources.map(({ n, url }) => (
          <a key={n} href={url} data-citation={n}>
            {n}
          </a>
        ))}
      </div>
      <CitationCard place={place} sources={sources} />
    </>
  );
}

test("a number that opens no new tab has no description after the card moves to another", () => {
  vi.useFakeTimers();
  for (const name of ["showPopover", "hidePopover"])
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, value: () => undefined });
  const chat = renderChat(<Text />);
  const links = [...chat.root.querySelectorAll("a")];
  const focus = (link: Element | undefined) =>
    act(() => {
      link?.dispatchEvent(new Event("focusin", { bubbles: true }));
      vi.runAllTimers();
    });
  focus(links[0]);
  expect(links.map((link) => link.getAttribute("aria-describedby"))).toEqual([expect.stringMatching(/^\S+$/), null]);
  focus(links[1]);
  expect(links.map((link) => link.getAttribute("aria-describedby"))).toEqual([null, expect.stringMatching(/^\S+$/)]);
  chat.unmount();
  vi.useRealTimers();
});
