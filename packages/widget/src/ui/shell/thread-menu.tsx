/** The menu of the open chat. It loads after the first view. */
import { branchTo } from "@nitka/protocol/branch";
import { textOf } from "@nitka/protocol/message";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { saveFile } from "../../browser/files.ts";
import { threadMenuWords } from "../../i18n/thread-menu-words.ts";
import { loadChunk } from "../../load-chunk.ts";
import { safeLink } from "../../markdown/safe-link.ts";
import { activeThreadId, conversationOf, readyConversation, shownTitle } from "../../store/selectors.ts";
import { COPY_FEEDBACK_MS } from "../../timings.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { copiedHtml } from "../markdown/copied-html.ts";
import { useDocumentView } from "../markdown/markdown-provider.tsx";
import { useAnnounce } from "../primitives/announcer.tsx";
import { ActionMenu } from "../primitives/menu.tsx";
import { useFlash } from "../primitives/tooltips.tsx";
import { pageAddress } from "./page-address.ts";
import type { TranscriptEntry } from "./transcript.ts";

const loadTranscript = loadChunk(() => import("./transcript.ts"));

/**
 * The maximum number of messages of a conversation that is copied with formatting, because each message is rendered for that. A
 * longer one is copied as text only.
 */
const MAX_FORMATTED = 200;

/** Copies and saves the open conversation. In the launcher's panel it also links to the chat's own page, if there is one. */
export function ThreadMenu() {
  const { words, locale, layout, copyFor, signal } = useChat();
  const announce = useAnnounce();
  const flash = useFlash();
  const texts = { ...threadMenuWords[locale], ...words.threadMenu };
  const threadId = useChatState(activeThreadId);
  const hasMessages = useChatState((state) => conversationOf(state, threadId).messages.length > 0);
  const { pageUrl } = useChatState((state) => state.config);
  const page = layout === "launcher" && pageUrl && safeLink(pageUrl);
  const read = useTranscript(threadId);
  const { view, formatted } = useFormatted();

  const act = async (action: string, trigger: Element) => {
    const tell = (text: string) => {
      announce(text);
      flash(trigger, text, 2 * COPY_FEEDBACK_MS);
    };
    const transcript = await read().catch(() => undefined);
    if (!transcript) return tell(texts.failed);
    const { entries, code, transcriptWords } = transcript;
    if (action === "download") {
      const { title } = transcriptWords;
      saveFile(code.fileNameFor(title), "text/markdown", code.toMarkdown(entries, transcriptWords), signal);
      return tell(texts.downloaded);
    }
    const text = code.toPlainText(entries, transcriptWords);
    return copyFor(trigger, text, formatted(transcriptWords.title, entries)).then(
      () => tell(texts.copied),
      () => tell(words.message.copyFailed),
    );
  };
  const actions = [
    ...(hasMessages
      ? [
          { id: "copy", name: texts.copy },
          { id: "download", name: texts.download },
        ]
      : []),
    ...(page ? [{ id: "page", name: texts.openPage, href: pageAddress(page, threadId, location.href) }] : []),
  ];
  if (actions.length === 0) return null;
  return (
    <>
      <ActionMenu
        label={texts.label}
        actions={actions}
        onAct={(action, trigger) => void act(action, trigger)}
        onOpen={() => void loadTranscript().catch(() => undefined)}
      />
      {view}
    </>
  );
}

/** Reads the whole shown branch of a thread, and loads messages that are missing. Rejects if they cannot be loaded. */
function useTranscript(threadId: string | undefined) {
  const { actions, store, words, locale, language } = useChat();
  const texts = { ...threadMenuWords[locale], ...words.threadMenu };
  return async () => {
    const code = await loadTranscript();
    if (threadId !== undefined && !readyConversation(store.get(), threadId)) await actions.reloadConversation(threadId);
    const conversation = threadId === undefined ? undefined : readyConversation(store.get(), threadId);
    if (!conversation) throw new Error(texts.failed);
    const { fromVisitor, fromAssistant, fromSystem } = words.message;
    const [visitor = "", assistant = "", system = ""] = [fromVisitor, fromAssistant, fromSystem].map((name) =>
      name.replace(/:$/, ""),
    );
    const format = new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "short" });
    const { attachments, sources } = texts;
    const title = shownTitle(store.get(), threadId).trim() || words.header.untitled;
    const transcriptWords = {
      title,
      visitor,
      assistant,
      system,
      attachments,
      sources,
      time: (at: Date) => format.format(at),
    };
    const messages = branchTo(conversation.messages, conversation.headId).map(({ message }) => message);
    return { code, transcriptWords, entries: code.transcriptEntries(messages, transcriptWords) };
  };
}

/** Renders answers invisibly, as in the conversation, and returns their elements. */
function useFormatted() {
  const { DocumentView } = useDocumentView();
  const place = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState<readonly TranscriptEntry[]>();
  const answers = drawn?.filter(({ message }) => message.role === "assistant") ?? [];
  const view = DocumentView && drawn && (
    <div ref={place} hidden>
      {answers.map(({ message }) => (
        <div key={message.id} data-copied={message.id}>
          <DocumentView text={textOf(message)} streaming={false} messageId={message.id} />
        </div>
      ))}
    </div>
  );
  const formatted = (title: string, entries: readonly TranscriptEntry[]): string | undefined => {
    if (!DocumentView || entries.length > MAX_FORMATTED) return undefined;
    flushSync(() => setDrawn(entries));
    const drawings = new Map(
      [...(place.current?.children ?? [])].map((drawing) => [drawing.getAttribute("data-copied"), copiedHtml(drawing)]),
    );
    flushSync(() => setDrawn(undefined));
    const blocks = entries.flatMap(({ message, heading, notes }) => [
      element("h3", heading),
      drawings.get(message.id) ?? element("p", textOf(message)),
      ...notes.map((note) => element("p", note)),
    ]);
    return [element("h2", title), ...blocks].join("\n");
  };
  return { view, formatted };
}

/** The HTML of an element with a text and its line breaks. */
function element(name: string, text: string): string {
  const made = document.createElement(name);
  for (const [index, line] of text.split("\n").entries()) {
    if (index > 0) made.append(document.createElement("br"));
    made.append(line);
  }
  return made.outerHTML;
}
