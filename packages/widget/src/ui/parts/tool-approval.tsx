/** The view of a tool call that the visitor has to allow, or has allowed or denied. */
import { useEffect, useLayoutEffect, useRef } from "react";
import type { MouseEvent } from "react";
import { focusBriefly } from "../../browser/focus-briefly.ts";
import { approvalWords } from "../../i18n/approval-words.ts";
import type { ApprovalWords } from "../../i18n/approval-words.ts";
import { isAsking } from "../../store/selectors.ts";
import type { AskingCall } from "../../store/selectors.ts";
import type { CallState } from "../../store/state.ts";
import type { Chat } from "../chat-context.tsx";
import { useChat } from "../chat-context.tsx";
import { useAnnounced, useAnnouncer } from "../primitives/announcer.tsx";
import { focusComposer, holdsFocus } from "../primitives/focus.ts";
import { useFailureText } from "../failure-text.ts";
import { ArgumentRows } from "./argument-rows.tsx";
import type { PartOf } from "../chat-context.tsx";

/** The locale's texts, some replaced by the host's. */
export function approvalTexts({ words, locale }: Pick<Chat, "words" | "locale">): ApprovalWords {
  return { ...approvalWords[locale], ...words.approval };
}

/** A word after the tool's name: what the call waits for, or what the visitor has decided. */
export function CallNote({ part, call }: { readonly part: PartOf<"tool-call">; readonly call: CallState | undefined }) {
  const text = noteOf(part, call, approvalTexts(useChat()));
  return text === undefined ? null : <span className="tool-note">{` ${text}`}</span>;
}

function noteOf(
  { approval }: PartOf<"tool-call">,
  call: CallState | undefined,
  texts: ApprovalWords,
): string | undefined {
  if (isAsking(call)) return texts.waiting;
  if (call?.type === "elsewhere") return texts.elsewhere;
  if (approval === "approved") return texts.allowed;
  return approval === "denied" ? texts.denied : undefined;
}

/** Asks whether a tool may run. It shows the tool's name, the arguments and two buttons. */
export function ApprovalCard({
  part,
  call,
  partId,
  onDecide,
}: {
  readonly part: PartOf<"tool-call">;
  readonly call: AskingCall;
  readonly partId: string;
  readonly onDecide: (approved: boolean) => void;
}) {
  const chat = useChat();
  const texts = approvalTexts(chat);
  const failureText = useFailureText();
  const { announce, markAnnounced } = useAnnouncer();
  const card = useRef<HTMLFieldSetElement>(null);
  const { title, question, parameters } = call;
  const required = `${texts.required}: ${title}`;
  const failed = call.type === "asking" && call.failure ? `${texts.failed} ${failureText(call.failure)}` : "";
  useAnnounced(failed);
  useEffect(() => {
    if (!markAnnounced(`${partId} ${part.toolCallId}`)) return;
    announce(required);
    if (question) announce(question);
  }, [announce, markAnnounced, part.toolCallId, partId, question, required]);
  useLayoutEffect(() => {
    const { current } = card;
    // Removing the card must not lose the focus.
    return () => {
      if (current && holdsFocus(current)) toggleBeside(current)?.focus({ preventScroll: true });
    };
  }, []);

  const pressed = call.type === "deciding" ? call.approved : undefined;
  const button = (approved: boolean) => ({
    type: "button" as const,
    className: "button",
    // The button is not disabled, because it would lose the focus.
    "aria-disabled": pressed !== undefined,
    "aria-busy": pressed === approved,
    onClick({ currentTarget }: MouseEvent<HTMLElement>) {
      if (pressed !== undefined) return;
      focusNext(currentTarget);
      onDecide(approved);
    },
  });
  return (
    <fieldset ref={card} className="approval" aria-label={required}>
      <p className="approval-title" dir="auto">
        {title}
      </p>
      {question && <p dir="auto">{question}</p>}
      <ArgumentRows part={part} schema={parameters} texts={texts} />
      {failed && <p className="approval-failure">{failed}</p>}
      <div className="approval-actions">
        <button {...button(true)} data-kind="primary" data-allow>
          {texts.allow}
        </button>
        <button {...button(false)}>{texts.deny}</button>
      </div>
    </fieldset>
  );
}

/**
 * Focuses the next question after a decision, or the composer. The focus goes to the question's group, whose name a screen
 * reader reads, and not to its button, because a key that is still held down would press it unread.
 */
function focusNext(button: HTMLElement): void {
  const root = button.getRootNode() as ShadowRoot;
  const card = button.closest("fieldset");
  const asking = [...root.querySelectorAll("fieldset")].filter((other) =>
    other.querySelector("[data-allow]:not([aria-disabled=true])"),
  );
  const next = asking.find((other) => other !== card);
  if (!next || !focusBriefly(next)) focusComposer(button);
}

function toggleBeside(card: HTMLElement): HTMLElement | null {
  return card.previousElementSibling?.querySelector<HTMLElement>("[aria-expanded]") ?? null;
}
