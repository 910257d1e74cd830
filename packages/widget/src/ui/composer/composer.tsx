import { useCallback, useRef, useState } from "react";
import { lastQuestion } from "../../store/branches.ts";
import { attachmentRules, canSend, conversationOf, draftOf } from "../../store/selectors.ts";
import { loadChunk } from "../../load-chunk.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { holdsFocus } from "../primitives/focus.ts";
import { IconButton } from "../primitives/icon-button.tsx";
import { RetryButton } from "../primitives/failure-note.tsx";
import { useLoaded } from "../primitives/use-loaded.ts";
import { loadVoice } from "../voice/load-voice.ts";
import { ComposerInput } from "./composer-input.tsx";
import { useAttach } from "./use-attach.ts";
import { pastedFiles } from "./transferred-files.ts";
import type { Failure } from "../../store/state.ts";
import { useAnnounced } from "../primitives/announcer.tsx";
import { useFailureText } from "../failure-text.ts";

const loadExtras = loadChunk(() => import("./composer-extras.tsx"));

/** Most drafts have no attachments, so the code that shows them loads with the first. */
const loadTiles = loadChunk(() => import("../attachments/draft-attachments.tsx"));

/** The field and the buttons for writing a message. Each thread has its own draft, which is kept if sending fails. */
export function Composer({ threadId }: { readonly threadId: string | undefined }) {
  const { actions, store, words } = useChat();
  const draft = useChatState((state) => draftOf(state, threadId));
  const runPhase = useChatState((state) => conversationOf(state, threadId).run?.phase);
  const running = runPhase !== undefined;
  const questionId = useChatState((state) => conversationOf(state, threadId).run?.questionId);
  const [refusedBy, setRefusedBy] = useState<string>();
  const isRefused = refusedBy !== undefined && refusedBy === questionId && draft.text !== "";
  const isListLoaded = useChatState((state) => state.threads.load.status === "ready");
  const consent = useChatState((state) => state.consent);
  const sendable = useChatState((state) => canSend(state, threadId)) || (!running && consent?.isAwaited === true);
  const createFailure = useChatState((state) => (threadId === undefined ? state.threads.createFailure : undefined));
  const failure = draft.status === "failed" ? draft.failure : createFailure;
  const rules = attachmentRules(useChatState((state) => state.config));
  const tiles = useLoaded(draft.attachments.length > 0 ? loadTiles : undefined);
  const extras = useLoaded(loadExtras);
  const voice = useLoaded(useChatState(({ config }) => config.voice?.input) ? loadVoice : undefined);
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLTextAreaElement>(null);

  // The stop button is unmounted when the answer ends. If it has the focus, the input takes the focus.
  const stopButton = useCallback(
    (button: HTMLElement | null) => () => {
      if (button && holdsFocus(button)) input.current?.focus();
    },
    [],
  );
  // A press unmounts or replaces the pressed button, which would lose the focus.
  const keepFocus = () => {
    if (form.current && holdsFocus(form.current)) input.current?.focus();
  };
  const send = () => {
    // Without a thread the draft is sent when the list has loaded.
    if (threadId !== undefined && !sendable) {
      if (draft.text.trim() !== "") setRefusedBy(questionId);
      return;
    }
    keepFocus();
    void actions.send(threadId);
  };
  const stop = () => {
    if (threadId !== undefined) void actions.stop(threadId);
  };
  const editLast = () => {
    const last = threadId !== undefined && lastQuestion(conversationOf(store.get(), threadId));
    if (last) actions.beginEdit(threadId, last.id);
  };
  const isEmpty = draft.text === "" && draft.attachments.length === 0;
  const addFiles = useAttach(threadId);
  const attach = (files: readonly File[]) => {
    if (files.length > 0) input.current?.focus();
    void addFiles(files);
  };

  return (
    <form
      ref={form}
      className="composer"
      part="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {tiles.value ? (
        <tiles.value.DraftAttachments
          attachments={draft.attachments}
          onRemove={(id) => {
            keepFocus();
            if (threadId !== undefined) actions.removeAttachment(threadId, id);
          }}
          onRetry={(id) => {
            keepFocus();
            if (threadId !== undefined) actions.retryAttachment(threadId, id);
          }}
        />
      ) : (
        draft.attachments.length > 0 && (
          <p className="attachment-names">
            {draft.attachments.map(({ file }) => file.name).join(", ")}
            {tiles.error && <RetryButton onRetry={tiles.retry} />}
          </p>
        )
      )}
      <ComposerInput
        ref={input}
        data-composer
        aria-keyshortcuts="F6"
        aria-label={words.composer.label}
        placeholder={words.composer.placeholder}
        value={draft.text}
        onText={(text) => actions.setDraft(threadId, text)}
        onSend={send}
        onCancel={running ? stop : undefined}
        onEditLast={isEmpty && !running ? editLast : undefined}
        onPaste={(event) => {
          const files = rules ? pastedFiles(event.clipboardData) : [];
          if (files.length === 0) return;
          event.preventDefault();
          attach(files);
        }}
      />
      {extras.value && (
        <extras.value.ComposerExtras input={input} rules={rules} draft={draft.text} onFile={(file) => attach([file])} />
      )}
      {isRefused && <BusyNote />}
      {failure && <ComposerFailure failure={failure} onRetry={sendable ? send : undefined} />}
      <div className="composer-tools">
        {rules && (
          <AttachButton accept={rules.accept} disabled={threadId === undefined && !isListLoaded} onFiles={attach} />
        )}
        {voice.value && <voice.value.Dictation threadId={threadId} input={input} />}
        {running ? (
          <IconButton
            key="stop"
            ref={stopButton}
            icon="stop"
            label={words.composer.stop}
            className="composer-stop"
            aria-busy={runPhase === "stopping" || undefined}
            onMouseDown={(event) => event.preventDefault()}
            onClick={stop}
            onKeyDown={(event) => {
              if (event.key !== "Escape") return;
              event.preventDefault();
              stop();
            }}
          />
        ) : consent ? (
          <button
            type="submit"
            className="button"
            data-kind="primary"
            disabled={!sendable}
            aria-busy={draft.status === "waiting" || undefined}
            aria-describedby="consent"
            onMouseDown={(event) => event.preventDefault()}
          >
            {words.composer.agree}
          </button>
        ) : (
          <IconButton
            key="send"
            icon="arrow-up"
            label={words.composer.send}
            className="composer-send"
            type="submit"
            disabled={!sendable}
            aria-busy={draft.status === "waiting" || undefined}
            onMouseDown={(event) => event.preventDefault()}
          />
        )}
      </div>
    </form>
  );
}

/** A note that Enter sends nothing while an answer is being written. */
function BusyNote() {
  const text = useChat().words.composer.busy;
  useAnnounced(text);
  return <p className="composer-note">{text}</p>;
}

/** Opens the browser's file dialog. */
function AttachButton({
  accept,
  disabled,
  onFiles,
}: {
  readonly accept: string;
  readonly disabled: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}) {
  const { words } = useChat();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={accept}
        aria-label={words.composer.attach}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          // Otherwise choosing a removed file again would not count as a change.
          event.currentTarget.value = "";
          onFiles(files);
        }}
      />
      <IconButton
        icon="attach"
        label={words.composer.attach}
        className="composer-attach"
        disabled={disabled}
        onClick={() => input.current?.click()}
      />
    </>
  );
}

/** Why a message was not sent or a file not attached. It is shown in the composer, which keeps the text and the files. */
function ComposerFailure({
  failure,
  onRetry,
}: {
  readonly failure: Failure;
  readonly onRetry: (() => void) | undefined;
}) {
  const { words } = useChat();
  const failureText = useFailureText();
  const isAboutFile = failure.kind.startsWith("attachment");
  const what = isAboutFile ? failure.detail && `${failure.detail}:` : words.composer.sendFailed;
  const text = [what, failureText(failure)].filter(Boolean).join(" ");
  useAnnounced(text);
  return (
    <div className="composer-failure">
      <p>{text}</p>
      {!isAboutFile && onRetry && (
        <button type="button" className="button" onClick={onRetry}>
          {words.message.retry}
        </button>
      )}
    </div>
  );
}
