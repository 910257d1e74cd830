/** The place of a deleted chat in the list. This chunk loads with the first deletion. */
import type { Thread } from "@nitka/protocol";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { restoreWords } from "../../i18n/restore-words.ts";
import { RESTORE_OFFERED_MS } from "../../timings.ts";
import { useChat } from "../chat-context.tsx";
import { useAnnounce, useAnnounced } from "../primitives/announcer.tsx";
import { holdsFocus } from "../primitives/focus.ts";

/** «Чат удалён · Вернуть» for some seconds. The countdown pauses while the row has the focus or the pointer. */
export function RemovedRow({
  thread: { threadId },
  failure,
}: {
  readonly thread: Thread;
  /** Why it could not be restored. */
  readonly failure: string | undefined;
}) {
  const { actions, store, words, locale } = useChat();
  const announce = useAnnounce();
  const texts = { ...restoreWords[locale], ...words.restore };
  const row = useRef<HTMLLIElement>(null);
  const leftMs = useRef(RESTORE_OFFERED_MS);
  const [held, setHeld] = useState({ pointer: false, focus: false });
  const [restoring, setRestoring] = useState(false);
  const isStill = held.pointer || held.focus || restoring;
  const failed = failure && `${texts.failed} ${failure}`;
  useAnnounced(failed || "");

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const hold = (type: string, change: Partial<typeof held>) =>
      row.current?.addEventListener(type, () => setHeld((before) => ({ ...before, ...change })), { signal });
    hold("pointerenter", { pointer: true });
    hold("pointerleave", { pointer: false });
    hold("focusin", { focus: true });
    hold("focusout", { focus: false });
    return () => controller.abort();
  }, []);

  useEffect(() => {
    if (isStill) return undefined;
    const start = performance.now();
    const timer = setTimeout(() => void actions.endRestoreOffer(threadId), leftMs.current);
    return () => {
      clearTimeout(timer);
      leftMs.current -= performance.now() - start;
    };
  }, [actions, threadId, isStill]);

  // Another row takes this row's place and the focus.
  useLayoutEffect(() => {
    const place = row.current;
    return () => {
      if (store.get().threads.items.some((thread) => thread.threadId === threadId)) announce(texts.restored);
      if (!place || !holdsFocus(place)) return;
      const list = place.closest("nav");
      const index = rowsOf(list).indexOf(place);
      queueMicrotask(() => {
        const next = rowsOf(list)[index] ?? rowsOf(list).at(-1);
        next?.querySelector<HTMLElement>("[data-thread-open]")?.focus({ preventScroll: true });
      });
    };
  }, [announce, store, texts.restored, threadId]);

  const restore = () => {
    setRestoring(true);
    void actions.restoreThread(threadId).finally(() => {
      leftMs.current = RESTORE_OFFERED_MS;
      setRestoring(false);
    });
  };
  return (
    <li ref={row} className="removed-row" data-removed-row>
      <p>
        {texts.removed} <span aria-hidden="true">·</span>{" "}
        <button type="button" className="link-button" aria-busy={restoring || undefined} onClick={restore}>
          {texts.restore}
        </button>
      </p>
      {failed && <p className="thread-row-failure">{failed}</p>}
    </li>
  );
}

function rowsOf(list: Element | null): Element[] {
  return [...(list?.querySelectorAll("[data-thread-row], [data-removed-row]") ?? [])];
}
