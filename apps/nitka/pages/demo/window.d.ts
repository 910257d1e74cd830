import type { NitkaOptions } from "@nitka/widget";

declare global {
  /** The queue takes calls of the page before the widget's script has loaded. */
  interface Window {
    Nitka?: { push(...calls: readonly ["init", NitkaOptions][]): unknown };
  }
}
