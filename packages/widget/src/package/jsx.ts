/**
 * The type of `<nitka-chat>` in React's JSX, for pages that use the element directly.
 *
 * @example
 * import "@nitka/widget/jsx";
 * <nitka-chat layout="launcher" proxy-url="https://chat.example" />
 */
import type * as React from "react";
import type { NitkaElement } from "../element/element-options.ts";
import type { NitkaChatAttributes, NitkaChatListeners } from "./element-attributes.ts";

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "nitka-chat": React.ClassAttributes<NitkaElement> &
        React.HTMLAttributes<NitkaElement> &
        NitkaChatAttributes &
        NitkaChatListeners & { readonly class?: string };
    }
  }
}
