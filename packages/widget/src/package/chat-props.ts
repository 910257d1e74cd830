import type { CSSProperties } from "react";
import type { NitkaEvents, NitkaOptions } from "../options.ts";

/** The options of `init`, except `target`, which is the component's place, and `on`, whose callbacks are properties here. */
type OptionProps = { readonly [K in Exclude<keyof NitkaOptions, "target" | "on">]?: NitkaOptions[K] | undefined };

type CallbackProps = {
  readonly [E in keyof NitkaEvents as (typeof CALLBACK_PROPS)[E]]?: ((detail: NitkaEvents[E]) => void) | undefined;
};

export interface NitkaChatProps extends OptionProps, CallbackProps {
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
} as const satisfies { readonly [E in keyof NitkaEvents]: `on${string}` };
