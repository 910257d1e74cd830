/** `<NitkaChat>`: the chat as a component of React 18 and 19. The page's React and the widget's own are separate. */
import { forwardRef, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from "react";
import type { ForwardRefExoticComponent, RefAttributes } from "react";
import { TAG } from "../element/define-element.ts";
import type { NitkaElement } from "../element/element-options.ts";
import type { NitkaHandle } from "../options.ts";
import type { NitkaChatProps } from "./chat-props.ts";
import { createElementProperties } from "./element-properties.ts";
import { define } from "./init.ts";

export type { NitkaChatProps } from "./chat-props.ts";
export type * from "../index.ts";

/** A server runs no layout effects, and React 18 warns about them there. */
const useBrowserLayoutEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;

/**
 * The chat. It is created and removed with the component. The `ref` is its handle. A server renders an empty `div`.
 *
 * @example
 * const chat = useRef<NitkaHandle>(null);
 * <NitkaChat ref={chat} proxyUrl="https://chat.example" onMessage={({ message }) => track(message.id)} />
 */
export const NitkaChat: ForwardRefExoticComponent<NitkaChatProps & RefAttributes<NitkaHandle>> = forwardRef<
  NitkaHandle,
  NitkaChatProps
>(function NitkaChat(props, ref) {
  const place = useRef<HTMLDivElement>(null);
  const element = useRef<NitkaElement | null>(null);
  const [properties] = useState(createElementProperties);
  useBrowserLayoutEffect(() => properties.update(props));
  useBrowserLayoutEffect(() => {
    define();
    const chat = document.createElement(TAG);
    element.current = chat;
    properties.begin(chat);
    place.current?.append(chat);
    return () => {
      properties.end();
      chat.handle.destroy();
    };
  }, [properties]);
  useImperativeHandle<NitkaHandle | null, NitkaHandle | null>(ref, () => element.current?.handle ?? null, []);
  const { id, className, style, layout } = props;
  const fills = layout !== "launcher" && className === undefined && style === undefined;
  return <div ref={place} id={id} className={className} style={fills ? { height: "100%" } : style} />;
});
