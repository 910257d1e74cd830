import type { CSSProperties } from "react";
import type { NitkaEvents, NitkaOptions } from "../options.ts";

/** The options of `init`, except `target`, which is the component's place, and `on`, whose callbacks are properties here. */
type OptionProps = { readonly [K in Exclude<keyof NitkaOptions, "target" | "on">]?: NitkaOptions[K] | undefined };

export interface NitkaChatProps extends OptionProps {
  readonly onReady?: ((handle: NitkaEvents["ready"]) => void) | undefined;
  readonly onError?: ((error: NitkaEvents["error"]) => void) | undefined;
  readonly onThreadChange?: ((detail: NitkaEvents["threadchange"]) => void) | undefined;
  readonly onMessage?: ((detail: NitkaEvents["message"]) => void) | undefined;
  readonly onOpen?: ((detail: NitkaEvents["open"]) => void) | undefined;
  readonly onClose?: ((detail: NitkaEvents["close"]) => void) | undefined;
  readonly onRunStart?: ((detail: NitkaEvents["runstart"]) => void) | undefined;
  readonly onRunEnd?: ((detail: NitkaEvents["runend"]) => void) | undefined;
  readonly onToolCall?: ((detail: NitkaEvents["toolcall"]) => void) | undefined;
  readonly onFeedback?: ((detail: NitkaEvents["feedback"]) => void) | undefined;
  /** The visitor has clicked a link in the conversation. `preventDefault` stops the browser from following it. */
  readonly onLinkClick?: ((event: CustomEvent<{ readonly href: string }>) => void) | undefined;
  /** The id of the `div` around the chat, to which `className` and `style` also apply. */
  readonly id?: string | undefined;
  /** Without a class or a style the `div` of an inline chat is as high as its parent. */
  readonly className?: string | undefined;
  readonly style?: CSSProperties | undefined;
}

/** The property for the callback of each event. */
export const CALLBACK_PROPS = {
  ready: "onReady",
  error: "onError",
  threadchange: "onThreadChange",
  message: "onMessage",
  open: "onOpen",
  close: "onClose",
  runstart: "onRunStart",
  runend: "onRunEnd",
  toolcall: "onToolCall",
  feedback: "onFeedback",
} as const satisfies { readonly [E in keyof NitkaEvents]: keyof NitkaChatProps };
