import type { NitkaHandle } from "@nitka/widget";

declare global {
  type TestedHandle = NitkaHandle;

  /** What the host pages of these tests define on their window. */
  interface Window {
    readonly Nitka: {
      init(options?: object): TestedHandle;
    };
    readonly chat: TestedHandle;
  }
}
