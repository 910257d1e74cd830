/**
 * The type of `<nitka-chat>` in the templates of Vue.
 *
 * @example
 * import "@nitka/widget/vue";
 */
import type { HTMLAttributes, PublicProps } from "vue";
import type { NitkaElement } from "../element/element-options.ts";
import type { NitkaElementEvents } from "../options.ts";
import type { NitkaChatAttributes } from "./element-attributes.ts";

type Emit = {
  readonly [E in keyof NitkaElementEvents]: (name: E, event: NitkaElementEvents[E]) => void;
}[keyof NitkaElementEvents];

declare module "vue" {
  interface GlobalComponents {
    "nitka-chat": new () => NitkaElement & {
      /** @deprecated This is only for type checks of templates: the element has no such property. */
      $props: HTMLAttributes & NitkaChatAttributes & PublicProps;
      /** @deprecated This is only for type checks of templates: the element has no such property. */
      $emit: Emit;
    };
  }
}
