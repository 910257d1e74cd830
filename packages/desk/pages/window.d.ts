import type { NitkaHandle, NitkaOptions } from "@nitka/widget";

declare global {
  /** `init` is defined once the widget's script has loaded. */
  interface Window {
    Nitka?: { readonly init?: (options: NitkaOptions) => NitkaHandle };
  }
}
